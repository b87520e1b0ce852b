import Points

/// A view of one record batch: so many rows, column by column.
///
/// That each column is as long as the rows need is checked once; a text's own ends are checked when it
/// is read.
struct ArrowBatch: ~Escapable {
    let rowCount: Int
    private let body: Span<UInt8>
    private let columns: [Column]

    /// Where a column's bytes lie in the body.
    private struct Column {
        var validity: Range<Int>?
        var offsets = 0..<0
        var values = 0..<0
    }

    /// What a batch's message says: rows, nulls a column, and where the buffers lie.
    struct Layout {
        var rowCount = 0
        var columns: [(rows: Int, nulls: Int)] = []
        var buffers: [(offset: Int, length: Int)] = []

        /// A batch's table: 0 rows, 1 columns, 2 buffers, 3 compression.
        init(_ table: borrowing FlatTable) throws {
            if try table.table(3) != nil { throw ArrowFault.compressed }
            rowCount = Int(try table.integer(0, default: Int64(0)))
            columns = try Self.pairs(table.vector(1, elementSize: 16))
                .map { (rows: $0.0, nulls: $0.1) }
            buffers = try Self.pairs(table.vector(2, elementSize: 16))
                .map { (offset: $0.0, length: $0.1) }
        }

        private static func pairs(_ bytes: Span<UInt8>) throws -> [(Int, Int)] {
            try (0..<bytes.count / 16).map {
                (
                    Int(try FlatTable.load(Int64.self, bytes, at: 16 * $0)),
                    Int(try FlatTable.load(Int64.self, bytes, at: 16 * $0 + 8))
                )
            }
        }
    }

    @_lifetime(copy body)
    init(_ layout: Layout, _ fields: [ArrowField], in body: Span<UInt8>) throws {
        self.body = body
        rowCount = layout.rowCount
        let needed = fields.reduce(0) { $0 + $1.kind.bufferCount }
        guard rowCount >= 0, layout.columns.count == fields.count, layout.buffers.count == needed
        else { throw ArrowFault.badMessage("a batch has other columns than the schema") }
        var columns: [Column] = []
        var next = 0
        for (field, column) in zip(fields, layout.columns) {
            let buffers = layout.buffers[next..<next + field.kind.bufferCount]
            next += field.kind.bufferCount
            guard column.rows == rowCount else { throw ArrowFault.columnTooShort(field.name) }
            columns.append(
                try Self.column(
                    of: field, Array(buffers), rows: rowCount, hasNulls: column.nulls != 0,
                    bodySize: body.count))
        }
        self.columns = columns
    }

    private static func column(
        of field: ArrowField, _ buffers: [(offset: Int, length: Int)], rows: Int, hasNulls: Bool,
        bodySize: Int
    ) throws -> Column {
        let ranges = try buffers.map { buffer in
            guard buffer.offset >= 0, buffer.length >= 0, buffer.offset <= bodySize,
                buffer.length <= bodySize - buffer.offset
            else { throw ArrowFault.columnTooShort(field.name) }
            return buffer.offset..<buffer.offset + buffer.length
        }
        var column = Column()
        guard !ranges.isEmpty else { return column }
        let bitBytes = rows / 8 + (rows % 8 == 0 ? 0 : 1)
        var isLongEnough = true
        if hasNulls {
            column.validity = ranges[0]
            isLongEnough = ranges[0].count >= bitBytes
        }
        column.values = ranges[ranges.count - 1]
        switch field.kind {
        case .text(let isLarge), .binary(let isLarge):
            column.offsets = ranges[1]
            let places = ranges[1].count / (isLarge ? 8 : 4)
            isLongEnough = isLongEnough && (rows == 0 || places > rows)
        case .bool: isLongEnough = isLongEnough && column.values.count >= bitBytes
        default:
            if let size = field.kind.size {
                isLongEnough = isLongEnough && column.values.count / size >= rows
            }
        }
        guard isLongEnough else { throw ArrowFault.columnTooShort(field.name) }
        return column
    }

    func isNull(_ column: Int, _ row: Int) -> Bool {
        guard let validity = columns[column].validity else { return false }
        return body[validity.lowerBound + row / 8] >> UInt8(row % 8) & 1 == 0
    }

    func bit(_ column: Int, _ row: Int) -> Bool {
        body[columns[column].values.lowerBound + row / 8] >> UInt8(row % 8) & 1 == 1
    }

    @inline(__always)
    func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
        _: Integer.Type, _ column: Int, _ row: Int
    ) -> Integer {
        let offset = columns[column].values.lowerBound + row * MemoryLayout<Integer>.size
        return Integer(
            littleEndian: unsafe body.bytes.unsafeLoadUnaligned(
                fromByteOffset: offset, as: Integer.self))
    }

    /// The bytes of a text or a binary value; nil if their ends are not in the batch.
    @_lifetime(copy self)
    func bytes(_ column: Int, _ row: Int, isLarge: Bool) -> Span<UInt8>? {
        let values = columns[column].values
        let start = place(column, row, isLarge), end = place(column, row + 1, isLarge)
        guard start >= 0, end >= start, end <= values.count else { return nil }
        return body.extracting(values.lowerBound + start..<values.lowerBound + end)
    }

    private func place(_ column: Int, _ row: Int, _ isLarge: Bool) -> Int {
        let start = columns[column].offsets.lowerBound
        return isLarge
            ? Int(
                Int64(
                    littleEndian: unsafe body.bytes.unsafeLoadUnaligned(
                        fromByteOffset: start + 8 * row, as: Int64.self)))
            : Int(
                Int32(
                    littleEndian: unsafe body.bytes.unsafeLoadUnaligned(
                        fromByteOffset: start + 4 * row, as: Int32.self)))
    }
}
