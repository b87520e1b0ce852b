import ArchiveContract
import Testing

struct ClusterRecordTests {
    static let record = ClusterRecord(
        key: ClusterKey(firstLeaf: 6, zoom: 4), leafCount: 3,
        position: GridPoint(x: -5, y: .max), parent: ClusterKey(firstLeaf: 5, zoom: 3))

    /// A row as tables have it to format 3.
    private struct Columns {
        var key: Int64 = 196
        var leaves: Int64 = 3
        var x: Int64 = -5
        var y = Int64(Int32.max)
        var up: Int64? = 33

        var record: ClusterRecord? {
            ClusterRecord(packed: key, leaves: leaves, x: x, y: y, up: up)
        }
    }

    @Test func `a record's row has its parent as the way up`() {
        #expect(Columns().record == Self.record)
        var root = Self.record
        root.parent = nil
        #expect(Columns(up: nil).record == root)
        #expect(Self.record.leaves == 6..<9 && Self.record.expansionZoom == 5)
    }

    @Test func `rows that no cluster can have are none`() {
        func isRow(_ change: (inout Columns) -> Void) -> Bool {
            var columns = Columns()
            change(&columns)
            return columns.record != nil
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
        let bytes: [UInt8] = [
            1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x80, 4, 3, 2, 1,
        ]
        #expect(GridPoint.unpack(bytes.span) == corners)
        let (none, half): ([UInt8], [UInt8]) = ([], [0, 0, 0, 0])
        #expect(GridPoint.unpack(none.span) == [] && GridPoint.unpack(half.span) == nil)
    }

    @Test func `a block has the form of all`() {
        #expect(LeafBlockLayout.mostLeaves == 4_000 && LeafBlockLayout.extent == 1 << 30)
    }
}
