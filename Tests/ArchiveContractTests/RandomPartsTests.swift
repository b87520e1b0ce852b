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
        let layout = try #require(LeafBlockLayout(leavesPerBlock: size))
        let start = Int64(random.next() % 200)
        let range = start..<start + Int64(random.next() % 200)
        var leaves: [Int64] = []
        for part in BlockParts(of: range, in: layout) {
            #expect(part.leaves.allSatisfy { $0 / size == part.block } && !part.leaves.isEmpty)
            #expect(part.indexes.map { Int64($0) } == part.leaves.map { $0 % size })
            #expect(part.isWhole == (part.leaves.count == Int(size)))
            leaves += part.leaves
        }
        #expect(leaves == Array(range))
        let count = range.upperBound
        #expect(
            layout.blockCount(forLeaves: count) == Int64(Set((0..<count).map { $0 / size }).count))
        #expect(layout.leaves(ofBlock: 3) == 3 * size..<4 * size)
        #expect(layout.block(ofLeaf: start) == start / size)
    }

    @Test func `only blocks of 1 to 4,000 leaves are any`() {
        for (size, isLayout) in [(0, false), (1, true), (4_000, true), (4_001, false), (-1, false)]
        {
            #expect((LeafBlockLayout(leavesPerBlock: Int64(size)) != nil) == isLayout)
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
        #expect(GridPoint.unpack(GridPoint.pack(points).span) == points)
        #expect(GridPoint.unpack(Array(GridPoint.pack(points).dropLast()).span) == nil)
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
