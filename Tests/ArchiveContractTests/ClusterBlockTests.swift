import Geometry
import TestSupport
import Testing

@testable import ArchiveContract

struct ClusterBlockTests {
    /// A cluster, one within it, and one behind both.
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
            leaves: 4_000..<4_300, hull: [GridPoint(x: 80, y: 200), GridPoint(x: 100, y: 210)],
            rows: [
                row(4_001, 2, 200, 90, 210, (3_999, 0)), row(4_001, 5, 2, 91, 209, (4_001, 2)),
                row(4_003, 4, 3, 80, 220, (4_001, 2)), row(4_202, 3, 98, 100, 190, (3_999, 0)),
            ])
    }()

    static let around = ClusterKey(firstLeaf: 3_999, zoom: 0)

    static func unpacked(_ bytes: [UInt8]) throws(ClusterBlockError) -> ClusterBlock {
        try ClusterBlock(unpacking: bytes, number: 9, leaves: block.leaves, around: around)
    }

    @Test func `a small block to the byte`() {
        let expected: [UInt8] = [
            0xA2, 6, 45,  // field 100, 45 bytes
            0x08, 2, 0x20, 0xAC, 2,  // format, leaves
            0x2A, 6, 0xA0, 1, 0x90, 3, 40, 20,  // the hull
            0x32, 5, 1, 0, 2, 0xC7, 1,  // first leaves
            0x3A, 4, 2, 5, 4, 3,  // zooms
            0x42, 5, 0xC8, 1, 2, 3, 98,  // counts
            0x4A, 4, 20, 2, 19, 40,  // x
            0x52, 4, 20, 1, 20, 19,  // y
        ]
        #expect(Self.block.packed == expected)
    }

    /// What a block is does not follow from how many points there are elsewhere.
    @Test func `a block has the same bytes wherever its leaves begin`() {
        var moved = Self.block
        moved.leaves = 70_000..<70_300
        for index in moved.rows.indices { moved.rows[index].key.firstLeaf += 66_000 }
        #expect(moved.packed == Self.block.packed)
    }

    @Test func `a block comes back, and answers`() throws {
        let block = Self.block
        let read = try Self.unpacked(block.packed)
        #expect(read == block)
        #expect(read.beginning.map(\.key.zoom) == [2, 5, 4, 3])
        let key = ClusterKey(firstLeaf: 4_001, zoom: 2)
        #expect(read.row(key) == block.rows[0] && read.row(.init(firstLeaf: 4_001, zoom: 3)) == nil)
    }

    /// What format 3 wrote: a cluster that is open where the block begins, one that begins in it, a child behind it,
    /// with a shape and a copy.
    @Test func `a block of format 3 is read`() throws {
        let bytes: [UInt8] = [
            0xA2, 6, 77, 0x08, 1, 0x10, 1, 0x18, 0xA0, 0x1F, 0x20, 0xA0, 0x1F, 0x2A, 4, 2, 4, 4, 1,
            0x32, 6, 0x9F, 0x1F, 2, 0, 0xA2, 0x1F, 0x3A, 4, 0, 2, 5, 4,
            0x42, 6, 0xA8, 0x46, 0x88, 0x27, 2, 2, 0x4A, 5, 0xC8, 1, 19, 2, 19,
            0x52, 5, 0x90, 3, 20, 1, 20, 0x5A, 13, 0x0A, 5, 2, 4, 0xD8, 4, 8, 0x12, 4, 1, 4, 12, 4,
            0x62, 3, 0xC0, 0x3E, 2, 0x6A, 3, 1, 2, 3,
        ]
        let read = try ClusterBlock(unpacking: bytes, number: 1, leaves: 4_000..<8_000)
        #expect(read.rows.map(\.key.firstLeaf) == [3_999, 4_001, 4_001, 8_003])
        #expect(read.rows.map(\.leafCount) == [9_000, 5_000, 2, 2])
        #expect(read.rows.map(\.position.x) == [100, 90, 91, 80])
        #expect(read.beginning.map(\.key.zoom) == [2, 5])
        #expect(throws: ClusterBlockError.self) {
            _ = try ClusterBlock(unpacking: bytes, number: 2, leaves: 4_000..<8_000)
        }
        #expect(throws: ClusterBlockError.self) {
            _ = try ClusterBlock(unpacking: bytes, number: 1, leaves: 4_001..<8_001)
        }
    }

    @Test func `what no block can be is refused`() {
        func refusal(_ change: (inout ClusterBlock) -> Void) -> ClusterBlockError? {
            var block = Self.block
            change(&block)
            return #expect(throws: ClusterBlockError.self) { _ = try Self.unpacked(block.packed) }
        }
        #expect(refusal { $0.rows.swapAt(0, 1) } != nil)
        #expect(refusal { $0.rows[1].leafCount = 201 } != nil)
        #expect(refusal { $0.rows[1].key.zoom = 2 } != nil)
        // A row that reaches over the block's end, one that is as shallow as what is around the block.
        #expect(refusal { $0.rows[3].leafCount = 99 } != nil)
        #expect(refusal { $0.rows[3].key.zoom = 0 } != nil)
        #expect(refusal { $0.leaves = 4_000..<4_301 } != nil)
        #expect(throws: ClusterBlockError.self) { _ = try Self.unpacked([]) }
        var newer = Self.block.packed
        newer[4] = 3
        #expect(throws: ClusterBlockError.newerFormat(3)) { _ = try Self.unpacked(newer) }
    }

    /// A few bytes of gzip may hold millions of numbers, and memory is not taken for them.
    @Test func `lists that are longer than a block has leaves are refused`() {
        for count in [300, 301] {
            var block = Self.block
            block.hull = (0..<Int32(count)).map { GridPoint(x: $0, y: 0) }
            block.rows = []
            #expect(((try? Self.unpacked(block.packed)) != nil) == (count == 300))
        }
        func rows(_ count: Int) throws -> Int {
            var block = Self.block
            block.leaves = 4_000..<4_003
            block.rows = (0..<count).map {
                var row = Self.block.rows[0]
                (row.key.zoom, row.leafCount) = (UInt8($0) + 1, 2)
                return row
            }
            return try ClusterBlock(
                unpacking: block.packed, number: 0, leaves: block.leaves, around: Self.around
            ).rows.count
        }
        #expect((try? rows(3)) == 3 && (try? rows(4)) == nil)
    }

    @Test func `damage never gives rows that could mislead`() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<20_000 {
            var bytes = Self.block.packed
            for _ in 0...Int(random.next() % 3) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(
                    truncatingIfNeeded: random.next())
            }
            guard let block = try? Self.unpacked(bytes) else { continue }
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
