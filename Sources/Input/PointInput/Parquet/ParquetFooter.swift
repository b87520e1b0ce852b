/// What stands at the end of a Parquet file: the schema, and where its row groups are described.
///
/// Row groups stay in their bytes until they are read: a file may have ten thousand of a hundred
/// columns each, of which four are wanted.
struct ParquetFooter: Sendable {
    let bytes: [UInt8]
    private(set) var elements: [ParquetElement] = []
    private(set) var rowCount = 0
    private(set) var groupCount = 0
    /// Where in the bytes the first row group's description stands.
    private(set) var groupsOffset = 0
    /// Texts of programs by name; `geo` is GeoParquet's.
    private(set) var texts: [String: String] = [:]

    /// Field numbers are those of `FileMetaData` in parquet.thrift.
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
