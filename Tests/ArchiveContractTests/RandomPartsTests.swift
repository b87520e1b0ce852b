import ArchiveContract
import Geometry
import TestSupport
import Testing

/// Ranges of leaves in blocks, ids and grids, held against counting one by one.
struct RandomPartsTests {
    @Test(arguments: 0..<20)
    func `the parts of a range are its leaves, block by block`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let size = Int64.random(in: 1...40, using: &random)
        let start = Int64(random.next() % 200)
        let range = start..<start + Int64(random.next() % 200)
        let count = range.upperBound + Int64(random.next() % 3)
        let counts = (0..<count).map { _ in Int64.random(in: 1...9, using: &random) }
        let varied = try #require(LeafBlockTable(counts: counts))
        for table in [LeafBlockTable(blocksOf: size, leafCount: count), varied] {
            let blocks = (0..<table.count).flatMap { block in
                table.leaves(ofBlock: block).map { _ in block }
            }
            #expect(blocks.count == Int(table.leafCount) && table.count > 0 || count == 0)
            var leaves: [Int64] = []
            for part in BlockParts(of: range, in: table) {
                let all = table.leaves(ofBlock: part.block)
                #expect(part.leaves.allSatisfy { blocks[Int($0)] == part.block })
                #expect(part.indexes.map { Int64($0) + all.lowerBound } == Array(part.leaves))
                #expect(part.isWhole == (part.leaves == all))
                leaves += part.leaves
            }
            #expect(leaves == Array(range.clamped(to: 0..<table.leafCount)))
            for leaf in blocks.indices { #expect(table.block(ofLeaf: Int64(leaf)) == blocks[leaf]) }
            #expect(table.block(ofLeaf: table.leafCount) >= table.count - 1)
        }
        #expect(LeafBlockTable(counts: [3, 0]) == nil && LeafBlockTable(counts: [.max]) == nil)
        #expect(varied.wholeBlocks(0..<counts[0]) == nil)
        let two = varied.leaves(ofBlock: 1).lowerBound..<varied.leaves(ofBlock: 2).upperBound
        #expect(count < 3 || varied.wholeBlocks(two) == 1..<3)
        #expect(count < 3 || varied.wholeBlocks(two.lowerBound..<two.upperBound - 1) == nil)
    }

    @Test func `only blocks of 1 to 4,000 leaves are any`() {
        for (size, isLayout) in [(0, false), (1, true), (4_000, true), (4_001, false), (-1, false)]
        {
            #expect((ContractNumber.leavesInBlock.holds(Int64(size))) == isLayout)
        }
    }

    @Test(arguments: 0..<20)
    func `boxes and packed points are those of the points`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let points = (0..<1 + Int(random.next() % 20)).map { _ in
            GridPoint(
                x: Int32(truncatingIfNeeded: random.next()),
                y: Int32(truncatingIfNeeded: random.next()))
        }
        let packed: [UInt8] = points.flatMap { point in
            [point.x, point.y].flatMap { number in
                (0..<4).map { UInt8(truncatingIfNeeded: number >> Int32(8 * $0)) }
            }
        }
        #expect(GridPoint.unpack(packed.span) == points)
        #expect(GridPoint.unpack(Array(packed.dropLast()).span) == nil)
        let box = try #require(GridBox(around: points))
        #expect(box.west == points.map { Int64($0.x) }.min())
        #expect(box.east == points.map { Int64($0.x) }.max())
        #expect(box.north == points.map { Int64($0.y) }.min())
        #expect(box.south == points.map { Int64($0.y) }.max())
        #expect(GridBox(box.worldBox) == box && GridBox(around: []) == nil)
        let world = box.worldBox
        #expect(world.minX == Double(box.west) / 0x1p30 && world.maxY == Double(box.south) / 0x1p30)
        #expect(world.maxX == Double(box.east) / 0x1p30 && world.minY == Double(box.north) / 0x1p30)
        // What lies beyond the grid is brought to its end.
        #expect(GridPoint(clamping: WorldPoint(x: 9, y: -9)) == GridPoint(x: .max, y: .min))
        #expect(GridPoint(clamping: WorldPoint(x: .nan, y: 0.5)) == GridPoint(x: 0, y: 1 << 29))
    }
}
