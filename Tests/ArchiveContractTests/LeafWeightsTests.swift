import ArchiveContract
import Testing

struct LeafWeightsTests {
    private static func layout(_ weights: [Int]) -> Int64 {
        var sums = LeafWeights(leafCount: weights.count)
        for (leaf, weight) in weights.enumerated() { sums.add(weight, ofLeaf: leaf) }
        return sums.layout.leavesPerBlock
    }

    @Test(arguments: [
        (0, 4_000), (54, 4_000), (60, 2_000), (500, 250), (1_000, 125), (2_000, 50),
        (8_000, 25), (1_000_000, 25),
    ])
    func `the heavier points are, the fewer a block has`(weight: Int, size: Int64) {
        #expect(Self.layout(Array(repeating: weight, count: 20_000)) == size)
    }

    @Test func `few points are one block whatever they weigh together`() {
        #expect(Self.layout([]) == 4_000 && Self.layout([200_000]) == 4_000)
        #expect(Self.layout(Array(repeating: 500, count: 400)) == 4_000)
    }

    @Test(arguments: [0, 1_003, 11_000])
    func `no block is too heavy where points are heaviest, wherever it begins`(place: Int) {
        var weights = Array(repeating: 30, count: 12_000)
        for leaf in place..<place + 400 { weights[leaf] = 1_300 }
        let size = Int(Self.layout(weights))
        #expect(size == 125)
        for start in 0...weights.count - size {
            #expect(weights[start..<start + size].reduce(0, +) <= LeafWeights.mostOfBlock)
        }
    }

    @Test func `one huge point does not make all blocks small`() {
        var weights = Array(repeating: 20, count: 12_000)
        weights[5_000] = 10_000_000
        #expect(Self.layout(weights) == 4_000)
    }

    @Test func `parts weigh together what the whole weighs`() {
        let weights = (0..<1_000).map { $0 * 37 % 900 }
        var whole = LeafWeights(leafCount: 1_000)
        for (leaf, weight) in weights.enumerated() { whole.add(weight, ofLeaf: leaf) }
        var joined = LeafWeights(leafCount: 0)
        for start in stride(from: 0, to: 1_000, by: 500) {
            var part = LeafWeights(leafCount: 500)
            for leaf in 0..<500 { part.add(weights[start + leaf], ofLeaf: leaf) }
            joined.append(part)
        }
        #expect(joined == whole)
        var scattered = LeafWeights(leafCount: 1_000)
        for (step, sum) in whole.sums.enumerated() {
            scattered.add(sum / 2, atStep: step)
            scattered.add(sum - sum / 2, atStep: step)
        }
        #expect(scattered == whole)
        scattered.add(.max, atStep: 39)
        #expect(scattered.sums[39] == .max)
    }
}
