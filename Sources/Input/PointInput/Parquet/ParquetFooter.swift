/// The footer of a Parquet file: the schema and the descriptions of the row groups.
///
/// Row groups stay encoded until they are read: a file may have ten thousand of a hundred columns
/// each, of which four are wanted.
struct ParquetFooter: Sendable {
    let bytes: [UInt8]
    private(set) var elements: [ParquetElement] = []
    private(set) var rowCount = 0
    private(set) var groupCount = 0
    /// The offset of the first row group's description.
    private(set) var groupsOffset = 0
    /// Texts for programs by name; `geo` is GeoParquet's.
    private(set) var texts: [String: String] = [:]

    /// The field numbers are those of `FileMetaData` in parquet.thrift.
    init(_ bytes: [UInt8]) throws(ParquetFault) {
        self.bytes = bytes
        var cursor = ThriftCursor(bytes.span)
        var id = 0
        while let kind = try cursor.field(&id) {
            switch id {
            case 2: try readSchema(&cursor, kind)
            case 3: rowCount = try cursor.integer(kind)
            case 4:
                var behind = cursor
                groupCount = try behind.structures(kind)
                groupsOffset = behind.offset
                try cursor.skip(kind)
            case 5: try readTexts(&cursor, kind)
            case 8: throw .encrypted
            default: try cursor.skip(kind)
            }
        }
        guard rowCount >= 0 else { throw .badFooter("it has \(rowCount) rows") }
    }

    private mutating func readSchema(
        _ cursor: inout ThriftCursor, _ kind: ThriftCursor.Kind
    ) throws(ParquetFault) {
        for _ in 0..<(try cursor.structures(kind)) {
            elements.append(try ParquetElement(&cursor))
        }
    }

    private mutating func readTexts(
        _ cursor: inout ThriftCursor, _ kind: ThriftCursor.Kind
    ) throws(ParquetFault) {
        for _ in 0..<(try cursor.structures(kind)) {
            var (key, value) = ("", "")
            var id = 0
            while let kind = try cursor.field(&id) {
                switch id {
                case 1: key = try cursor.text(kind)
                case 2: value = try cursor.text(kind)
                default: try cursor.skip(kind)
                }
            }
            texts[key] = value
        }
    }
}
