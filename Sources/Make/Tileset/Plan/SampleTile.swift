import Compression
import Points
import VectorTile

/// Makes a tile to find out its size.
enum SampleTile {
    /// The compressed size of a tile with these points of a layer, whatever their order; more than any if readers would
    /// refuse it.
    static func bytes(
        of table: PointTable, named name: String, rows: [Int], compression: Int
    ) -> Int {
        var builder = TileBuilder(keys: table.attributes.keys.names)
        builder.beginLayer(name)
        for row in inOrder(rows, of: table) {
            let position = table.position(of: row)
            // Only the last bits of a position vary within a tile.
            builder.addPoint(
                row, of: table, x: Int32(TileGrid.fixed(position.x) & 0xFFF),
                y: Int32(TileGrid.fixed(position.y) & 0xFFF))
        }
        builder.endLayer()
        var compressor = GzipCompressor(level: compression)
        let stored = compressor.compress(builder.bytes).count
        return builder.excess(stored: stored) == nil ? stored : .max
    }

    /// Sorts points by position, id and attributes: the tile must not depend on the order of reading.
    private static func inOrder(_ rows: [Int], of table: PointTable) -> [Int] {
        struct Entry {
            var row: Int
            var x, y: UInt32
            var id: UInt64

            func precedes(_ other: Entry) -> Bool {
                (y, x, id) < (other.y, other.x, other.id)
            }
        }
        let entries = rows.map { row in
            let position = table.position(of: row)
            return Entry(
                row: row, x: TileGrid.fixed(position.x), y: TileGrid.fixed(position.y),
                id: table.ids?[row] ?? PointTable.noID)
        }.sorted { $0.precedes($1) }
        let names = table.attributes.keys.names
        var ordered: [Int] = []
        var start = 0
        while start < entries.count {
            var end = start + 1
            while end < entries.count, !entries[start].precedes(entries[end]) { end += 1 }
            let ties = entries[start..<end].map(\.row)
            // Each record is made only once: many points may share a place.
            ordered += ties.count == 1 ? ties : inOrderOfRecords(ties, of: table, names)
            start = end
        }
        return ordered
    }

    private static func inOrderOfRecords(
        _ rows: [Int], of table: PointTable, _ names: [String]
    ) -> [Int] {
        rows.map { (row: $0, record: record($0, of: table, names)) }
            .sorted { $0.record.lexicographicallyPrecedes($1.record) }
            .map(\.row)
    }

    /// The attributes as bytes, with names instead of keys.
    private static func record(_ row: Int, of table: PointTable, _ names: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        var cursor = table.attributes[row].makeCursor()
        while let attribute = cursor.next() {
            bytes += Array(names[Int(attribute.key.number)].utf8) + [0]
            for index in attribute.value.bytes.indices {
                bytes.append(attribute.value.bytes[index])
            }
        }
        return bytes
    }
}
