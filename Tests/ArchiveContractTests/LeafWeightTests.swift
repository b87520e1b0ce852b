import ArchiveContract
import Geometry
import Testing

/// How many points a block has, by what they weigh.
struct LeafWeightTests {
    /// How many points each block has, where all of them lie at one place.
    private static func blocks(_ weights: [Int]) -> [Int64] {
        var sums = LeafWeightSums()
        sums.append(weights)
        var cutter = BlockCutter()
        for leaf in weights.indices {
            cutter.addLeaf(
                at: { GridPoint(x: 5, y: 5) }, weighing: { sums(leaf..<leaf + 1) })
        }
        cutter.finish()
        return zip(cutter.ends, [0] + cutter.ends).map { $0 - $1 }
    }

    @Test(arguments: [
        (0, 4_000), (54, 4_000), (55, 4_000), (56, 3_928), (500, 440), (1_000, 220), (8_000, 27),
        (8_800, 25), (1_000_000, 25),
    ])
    func `the heavier points are, the fewer a block has`(weight: Int, size: Int64) {
        let blocks = Self.blocks(Array(repeating: weight, count: 9_000))
        #expect(blocks.dropLast().allSatisfy { $0 == size } && blocks.reduce(0, +) == 9_000)
        #expect(blocks.count == (9_000 + Int(size) - 1) / Int(size))
    }

    @Test func `where points are heavy blocks are small, and nowhere else`() {
        var weights = Array(repeating: 30, count: 12_000)
        for leaf in 4_000..<4_400 { weights[leaf] = 1_300 }
        weights[9_000] = 10_000_000
        let blocks = Self.blocks(weights)
        #expect(blocks.first == 4_000 && blocks[1] == 169 && blocks.max() == 4_000)
        #expect(blocks.count == 6)
    }

    @Test func `leaves weigh together what each weighs, and no less than light ones count`() {
        let weights = (0..<1_000).map { $0 * 37 % 9_900 }
        var sums = LeafWeightSums()
        sums.append(Array(weights[..<300]))
        sums.append(Array(weights[300...]))
        let counted = weights.map { Int64(min(max($0, 55), 8_800)) }
        for range in [0..<1_000, 0..<0, 299..<301, 7..<900] {
            #expect(sums(range) == counted[range].reduce(0, +))
        }
        #expect(LeafWeight.weight((values: 3, bytes: 40)) == 61)
    }
}
