/// The header of a page.
struct ParquetPageHeader: Sendable {
    enum Kind: Int, Sendable { case data, index, dictionary, data2 }

    private(set) var kind = Kind.index
    private(set) var size = 0
    private(set) var packedSize = 0
    /// The number of values, including missing ones.
    private(set) var count = 0
    private(set) var encoding = 0
    private(set) var levelEncoding = 3
    /// The length of levels before the values of a page of version 2; they are never compressed.
    private(set) var repetitionBytes = 0
    private(set) var definitionBytes = 0
    /// Whether the values are compressed, if the column is.
    private(set) var isPacked = true
    /// The length of the header itself.
    private(set) var byteCount = 0

    /// The largest page; programs write about 1 MiB.
    static let sizeLimit = 1 << 28

    init(_ bytes: Span<UInt8>) throws(ParquetFault) {
        var cursor = ThriftCursor(bytes)
        var id = 0
        while let field = try cursor.field(&id) {
            switch id {
            case 1: kind = Kind(rawValue: try cursor.integer(field)) ?? .index
            case 2: size = try cursor.integer(field)
            case 3: packedSize = try cursor.integer(field)
            case 5, 7:
                try cursor.expect(field, .structure)
                try readVersion1(&cursor)
            case 8:
                try cursor.expect(field, .structure)
                try readVersion2(&cursor)
            default: try cursor.skip(field)
            }
        }
        byteCount = cursor.offset
        guard size >= 0, packedSize >= 0, count >= 0, repetitionBytes >= 0, definitionBytes >= 0,
            definitionBytes <= size, repetitionBytes <= size - definitionBytes
        else { throw .badPage("its header has sizes that cannot be") }
        guard count <= Int32.max else { throw .tooLarge("a page claims \(count) values") }
        guard size <= Self.sizeLimit, packedSize <= Self.sizeLimit else {
            throw .tooLarge("a page claims \(max(size, packedSize)) bytes")
        }
    }

    /// A dictionary's header begins like a data page's header.
    private mutating func readVersion1(_ cursor: inout ThriftCursor) throws(ParquetFault) {
        var id = 0
        while let field = try cursor.field(&id) {
            switch (id, field) {
            case (1, _): count = try cursor.integer(field)
            case (2, _): encoding = try cursor.integer(field)
            case (3, .int32): levelEncoding = try cursor.integer(field)
            default: try cursor.skip(field)
            }
        }
    }

    private mutating func readVersion2(_ cursor: inout ThriftCursor) throws(ParquetFault) {
        var id = 0
        while let field = try cursor.field(&id) {
            switch id {
            case 1: count = try cursor.integer(field)
            case 4: encoding = try cursor.integer(field)
            case 5: definitionBytes = try cursor.integer(field)
            case 6: repetitionBytes = try cursor.integer(field)
            case 7: isPacked = try cursor.bool(field)
            default: try cursor.skip(field)
            }
        }
    }
}
