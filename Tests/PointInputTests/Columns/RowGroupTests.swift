import Testing

@testable import PointInput

/// What a Parquet file says of the rows of a group and of where their columns stand.
struct RowGroupTests {
    private static func zigzag(_ number: Int) -> [UInt8] {
        var rest = UInt64(bitPattern: Int64(number << 1 ^ number >> 63))
        var bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// A structure of whole numbers, by the numbers of their fields.
    private static func structure(_ fields: [(id: Int, number: Int)]) -> [UInt8] {
        fields.reduce([]) { $0 + [6] + zigzag($1.id) + zigzag($1.number) } + [0]
    }

    /// A column's description; more fields may stand in front.
    private static func chunk(
        physical: Int? = 1, size: Int = 10, data: Int = 4, dictionary: Int? = nil,
        before: [UInt8] = []
    ) -> [UInt8] {
        let fields = [(1, physical), (4, 0), (7, size), (9, data), (11, dictionary)]
        let known = fields.compactMap { id, number in number.map { (id: id, number: $0) } }
        return before + [12] + zigzag(3) + structure(known) + [0]
    }

    private static func column(_ name: String, leaf: Int) throws -> ParquetColumn {
        // A whole number of 32 bits, and the name.
        let bytes = [0x15] + zigzag(1) + [0x38, UInt8(name.utf8.count)] + Array(name.utf8) + [0]
        var cursor = ThriftCursor(bytes.span)
        return try ParquetColumn(
            ParquetElement(&cursor), name: name, leaf: leaf, definitions: 0, [:])
    }

    /// A group of so many rows with these columns, of which those of some leaves are wanted.
    private static func group(
        _ chunks: [[UInt8]], rows: Int = 7, wanted: [Int] = [0]
    ) throws -> ParquetRowGroup {
        let list = [0x19, UInt8(chunks.count) << 4 | 12] + chunks.joined()
        let bytes = list + [6] + zigzag(3) + zigzag(rows) + [0]
        let columns = try wanted.map { try column("c\($0)", leaf: $0) }
        var cursor = ThriftCursor(bytes.span)
        return try ParquetRowGroup(&cursor, of: columns, judged: [])
    }

    @Test func `a column stands in its file from byte 4 on, also where it has no bytes`() throws {
        for (data, dictionary, size, fileSize, range) in [
            (4, nil, 0, 4, 4..<4), (4, nil, 6, 10, 4..<10), (4, nil, 7, 10, nil),
            (3, nil, 1, 10, nil), (10, nil, 0, 10, 10..<10), (11, nil, 0, 10, nil),
            (8, nil, -1, 10, nil), (8, 4, 6, 10, 4..<10), (8, 4, 7, 10, nil),
            (8, 0, 2, 10, 8..<10), (8, -5, 2, 10, 8..<10), (8, 1, 2, 10, nil),
            (4, 8, 3, 10, 4..<7), (.min, nil, 1, 10, nil), (4, nil, .max, 10, nil),
        ] as [(Int, Int?, Int, Int, Range<Int>?)] {
            let chunk = Self.chunk(size: size, data: data, dictionary: dictionary)
            let group = try Self.group([chunk])
            let found = try? group.chunks[0].range(in: fileSize, of: "c0")
            #expect(found == range, "\(data) \(dictionary ?? -1) \(size)")
            guard range == nil else { continue }
            #expect(throws: ParquetFault.outOfBounds("the column c0")) {
                try group.chunks[0].range(in: fileSize, of: "c0")
            }
        }
    }

    @Test func `columns are those that are wanted, in that order`() throws {
        let chunks = [10, 20, 30].map { Self.chunk(size: $0) }
        for wanted in [[0], [2, 0], [1], [0, 1, 2], []] {
            let group = try Self.group(chunks, wanted: wanted)
            #expect(group.chunks.map(\.packedSize) == wanted.map { 10 * ($0 + 1) })
            #expect(group.rowCount == 7)
        }
        #expect(try Self.group(chunks, rows: 0).rowCount == 0)
    }

    @Test func `a group that cannot be is refused with what is wrong`() {
        for (chunks, rows, fault) in [
            ([Self.chunk()], -1, .badFooter("a row group has -1 rows")),
            ([], 1, .badFooter("a row group lacks the column c0")),
            ([Self.chunk(physical: nil)], 1, .badFooter("a row group lacks the column c0")),
            ([Self.chunk(physical: 2)], 1, .badFooter("the column c0 is of two types")),
            ([Self.chunk(before: [12] + Self.zigzag(8) + [0])], 1, .encrypted),
            ([Self.chunk(before: [8] + Self.zigzag(9) + [0])], 1, .encrypted),
            (
                [Self.chunk(before: [8] + Self.zigzag(1) + [0])], 1,
                .unsupported("columns are in other files; name these themselves")
            ),
        ] as [([[UInt8]], Int, ParquetFault)] {
            #expect(throws: fault) { try Self.group(chunks, rows: rows) }
        }
    }
}
