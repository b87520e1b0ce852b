import Geometry
import TestSupport
import Testing

@testable import ArchiveContract

struct ClusterBlockTests {
    /// A cluster that is open where the block begins, one that begins in it and ends behind it, one
    /// within that, and a child behind the block.
    static let block: ClusterBlock = {
        func row(
            _ first: Int64, _ zoom: UInt8, _ leaves: Int64, _ x: Int32, _ y: Int32,
            _ parent: (Int64, UInt8)?
        ) -> ClusterRecord {
            ClusterRecord(
                key: ClusterKey(firstLeaf: first, zoom: zoom), leafCount: leaves,
                position: GridPoint(x: x, y: y),
                parent: parent.map { ClusterKey(firstLeaf: $0.0, zoom: $0.1) })
        }
        return ClusterBlock(
            number: 1, leaves: 4_000..<8_000,
            hull: [GridPoint(x: 1, y: 2), GridPoint(x: 3, y: 1)],
            rows: [
                row(3_999, 0, 9_000, 100, 200, nil), row(4_001, 2, 5_000, 90, 210, (3_999, 0)),
                row(4_001, 5, 2, 91, 209, (4_001, 2)), row(8_003, 4, 2, 80, 220, (4_001, 2)),
            ],
            shapes: [
                ClusterShape(
                    box: GridBox(west: 1, north: 2, east: 300, south: 4),
                    corners: [GridPoint(x: -1, y: 2), GridPoint(x: 5, y: 4)])
            ], copied: [8_000, 8_002], copies: [1, 2, 3])
    }()

    @Test func `a small block to the byte`() {
        let expected: [UInt8] = [
            0xA2, 6, 77,  // field 100, 77 bytes
            0x08, 1, 0x10, 1, 0x18, 0xA0, 0x1F, 0x20, 0xA0, 0x1F,  // format, block, first, leaves
            0x2A, 4, 2, 4, 4, 1,  // the hull
            0x32, 6, 0x9F, 0x1F, 2, 0, 0xA2, 0x1F,  // first leaves
            0x3A, 4, 0, 2, 5, 4,  // zooms
            0x42, 6, 0xA8, 0x46, 0x88, 0x27, 2, 2,  // counts
            0x4A, 5, 0xC8, 1, 19, 2, 19,  // x
            0x52, 5, 0x90, 3, 20, 1, 20,  // y
            0x5A, 13, 0x0A, 5, 2, 4, 0xD8, 4, 8, 0x12, 4, 1, 4, 12, 4,  // the shape
            0x62, 3, 0xC0, 0x3E, 2, 0x6A, 3, 1, 2, 3,  // copies
        ]
        #expect(Self.block.packed.count == expected.count)
        #expect(Self.block.packed == expected)
    }

    @Test func `a block comes back, and answers`() throws {
        let block = Self.block
        let read = try ClusterBlock(unpacking: block.packed)
        #expect(read == block)
        let key = ClusterKey(firstLeaf: 4_001, zoom: 2)
        #expect(read.beginning.map(\.key.zoom) == [2, 5])
        #expect(read.row(key) == block.rows[1] && read.row(.init(firstLeaf: 4_001, zoom: 3)) == nil)
        #expect(read.children(of: key) == [block.rows[2], block.rows[3]])
        #expect(read.shape(of: key) == block.shapes[0])
        #expect(read.shape(of: block.rows[2].key) == nil)
        #expect(read.reachesOver(block.rows[1]) && !read.reachesOver(block.rows[0]))
    }

    @Test func `boxes of blocks to the byte and back`() throws {
        let boxes = ClusterBoxes([
            GridBox(west: 1, north: 2, east: 3, south: 4),
            GridBox(west: 0, north: 2, east: 5, south: 4),
        ])
        #expect(
            boxes.packed == [0xAA, 6, 12, 8, 1, 0x12, 8, 2, 4, 6, 8, 1, 0, 4, 0])
        #expect(try ClusterBoxes(unpacking: boxes.packed) == boxes)
    }

    @Test func `what no block can be is refused`() {
        func refusal(_ change: (inout ClusterBlock) -> Void) -> ClusterBlockError? {
            var block = Self.block
            change(&block)
            return #expect(throws: ClusterBlockError.self) {
                _ = try ClusterBlock(unpacking: block.packed)
            }
        }
        #expect(refusal { $0.shapes = [] } != nil)
        #expect(refusal { $0.rows.swapAt(1, 2) } != nil)
        #expect(refusal { $0.rows[2].leafCount = 6_000 } != nil)
        #expect(refusal { $0.rows[2].key.zoom = 2 } != nil)
        #expect(refusal { $0.copied = [7_999] } != nil)
        #expect(refusal { $0.copied = [8_000, 8_000] } != nil)
        #expect(refusal { $0.shapes[0].box.east = 0 } != nil)
        #expect(refusal { $0.shapes[0].box.east = 1 << 40 } != nil)
        #expect(throws: ClusterBlockError.self) { _ = try ClusterBlock(unpacking: []) }
        var newer = Self.block.packed
        newer[4] = 2
        #expect(throws: ClusterBlockError.newerFormat(2)) {
            _ = try ClusterBlock(unpacking: newer)
        }
    }

    @Test func `damage never gives rows that could mislead`() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<20_000 {
            var bytes = Self.block.packed
            for _ in 0...Int(random.next() % 3) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(
                    truncatingIfNeeded: random.next())
            }
            guard let block = try? ClusterBlock(unpacking: bytes) else { continue }
            for (row, next) in zip(block.rows, block.rows.dropFirst()) {
                #expect(row.key < next.key && row.leafCount > 0)
            }
            for row in block.rows {
                guard let parent = row.parent.flatMap(block.row) else { continue }
                #expect(parent.leaves.contains(row.leaves.lowerBound))
                #expect(parent.leaves.upperBound >= row.leaves.upperBound)
                #expect(parent.key.zoom < row.key.zoom)
            }
        }
    }

    @Test func `the exact hull is the hull of hulls, whatever is in line`() {
        var random = SeededRandom(seed: 9)
        for _ in 0..<200 {
            let points = (0..<40).map { _ in
                GridPoint(x: Int32(random.next() % 9) - 4, y: Int32(random.next() % 9))
            }
            let whole = GridHull(of: points).corners
            let halves = [points[..<17], points[17...]].flatMap { GridHull(of: Array($0)).corners }
            #expect(GridHull(of: halves).corners == whole)
            let plain = ConvexHull(of: points.map(\.worldPoint)).corners.map { GridPoint($0) }
            #expect(plain == whole)
        }
    }

    /// A cluster ends in front of the leaf that its count leads to.
    @Test func `a leaf behind a cluster is not in it`() {
        func row(_ first: Int64, _ zoom: UInt8, _ leaves: Int64) -> ClusterRecord {
            ClusterRecord(
                key: ClusterKey(firstLeaf: first, zoom: zoom), leafCount: leaves,
                position: GridPoint(x: 0, y: 0), parent: nil)
        }
        var nesting = RowNesting()
        let (world, first, second) = (row(0, 0, 10), row(0, 1, 4), row(4, 1, 3))
        #expect(nesting.enter(world) == nil)
        #expect(nesting.enter(first)?.key == world.key)
        #expect(nesting.around(3)?.key == first.key)
        #expect(nesting.enter(second)?.key == world.key)
        #expect(nesting.around(6)?.key == second.key)
        #expect(nesting.around(7)?.key == world.key)
        #expect(nesting.around(10) == nil)
    }
}
