import Compression
import Points
import TileArchive
import VectorTile

extension TileBuilder {
    /// Adds a point of a table with its id and all that it carries, for tiles, leaf blocks and
    /// estimates alike.
    mutating func addPoint(
        _ row: Int, of table: PointTable, x: Int32, y: Int32, tagged key: TileKey? = nil,
        _ value: Span<UInt8> = Span()
    ) {
        let id = table.ids.map { $0[row] } ?? PointTable.noID
        beginPoint(id: id == PointTable.noID ? nil : id, x: x, y: y)
        table.attributes.withRecord(of: row) { addTags(of: $0) }
        if let key { addTag(key, packed: value) }
        endFeature()
    }

    /// Gives the feature all attributes of a record, whose values are tile values already.
    mutating func addTags(of record: borrowing AttributeRecord) {
        var cursor = record.makeCursor()
        while let attribute = cursor.next() {
            addTag(TileKey(number: attribute.key.number), packed: attribute.value.bytes)
        }
    }

    /// Appends the gzip form of the tile.
    func compress(with compressor: inout GzipCompressor, appendingTo output: inout [UInt8]) {
        compressor.compress(bytes, appendingTo: &output)
    }

    /// The bytes of a tile that readers refuse, and the most that they take; nil if they take it.
    /// - Parameter stored: the size of its gzip form.
    func excess(stored: Int) -> (bytes: Int, most: Int)? {
        if bytes.count > TileLookup.largestTile { return (bytes.count, TileLookup.largestTile) }
        return stored > TileLookup.largestStored ? (stored, TileLookup.largestStored) : nil
    }
}
