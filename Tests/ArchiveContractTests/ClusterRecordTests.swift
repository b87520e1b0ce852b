import ArchiveContract
import Testing

struct ClusterRecordTests {
    static let record = ClusterRecord(
        key: ClusterKey(firstLeaf: 6, zoom: 4), leafCount: 3,
        position: GridPoint(x: -5, y: .max), parent: ClusterKey(firstLeaf: 5, zoom: 3))

    /// As tables have it to format 3.
    static let columns = ClusterRecord.Columns(
        key: 196, leaves: 3, x: -5, y: Int64(Int32.max), up: 33)

    @Test func `a record's row has its parent as the way up`() {
        #expect(ClusterRecord(Self.columns) == Self.record)
        var (root, columns) = (Self.record, Self.columns)
        (root.parent, columns.up) = (nil, nil)
        #expect(ClusterRecord(columns) == root)
        #expect(Self.record.leaves == 6..<9 && Self.record.expansionZoom == 5)
    }

    @Test func `rows that no cluster can have are none`() {
        func isRow(_ change: (inout ClusterRecord.Columns) -> Void) -> Bool {
            var columns = Self.columns
            change(&columns)
            return ClusterRecord(columns) != nil
        }
        #expect(isRow { $0.leaves = 1 } && !isRow { $0.leaves = 0 } && !isRow { $0.leaves = -1 })
        #expect(isRow { $0.leaves = 1 << 48 - 7 } && !isRow { $0.leaves = 1 << 48 - 6 })
        #expect(!isRow { $0.key = -1 } && !isRow { $0.key = .min } && !isRow { $0.key = .max })
        #expect(isRow { $0.x = Int64(Int32.min) } && !isRow { $0.x = Int64(Int32.min) - 1 })
        #expect(isRow { $0.y = 0 } && !isRow { $0.y = 1 << 31 })
        // The parent lies before, and at a shallower zoom: 196 is leaf 6, zoom 4.
        #expect(isRow { $0.up = 1 } && isRow { $0.up = 4 } && isRow { $0.up = 196 })
        #expect(!isRow { $0.up = 0 } && !isRow { $0.up = 5 } && !isRow { $0.up = 32 })
        #expect(!isRow { $0.up = 197 } && !isRow { $0.up = -1 } && !isRow { $0.up = .min })
    }

    @Test func `corners come back from their bytes`() {
        let corners = [GridPoint(x: 1, y: -2), GridPoint(x: .min, y: 0x0102_0304)]
        let bytes = GridPoint.pack(corners)
        #expect(
            bytes == [
                1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x80, 4, 3, 2, 1,
            ])
        #expect(GridPoint.unpack(bytes.span) == corners)
        let (none, half): ([UInt8], [UInt8]) = ([], [0, 0, 0, 0])
        #expect(GridPoint.unpack(none.span) == [] && GridPoint.unpack(half.span) == nil)
    }

    @Test func `a block has the form of all`() {
        #expect(LeafBlockLayout.mostLeaves == 4_000 && LeafBlockLayout.extent == 1 << 30)
    }
}
