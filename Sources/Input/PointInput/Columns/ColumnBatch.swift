/// A view of a stretch of rows, column by column, as Arrow lays them out in memory.
///
/// That each column is as long as the rows need is up to the reader that makes it; a text's own ends are
/// checked when it is read.
struct ColumnBatch: ~Escapable {
    let rowCount: Int
    private let body: Span<UInt8>
    private let columns: [Column]

    /// Where a column's bytes lie in the body.
    struct Column: Sendable {
        /// A bit a row, 1 where there is a value; nil where all have one.
        var validity: Range<Int>?
        /// Of a column within a structure: where that has a bit a row.
        var outer: [Range<Int>] = []
        var offsets = 0..<0
        var values = 0..<0
    }

    @_lifetime(copy body)
    init(rowCount: Int, _ columns: [Column], in body: Span<UInt8>) {
        self.rowCount = rowCount
        self.columns = columns
        self.body = body
    }

    @inline(__always)
    func isNull(_ column: Int, _ row: Int) -> Bool {
        if let validity = columns[column].validity, !isSet(validity, row) { return true }
        guard !columns[column].outer.isEmpty else { return false }
        return columns[column].outer.contains { !isSet($0, row) }
    }

    private func isSet(_ bits: Range<Int>, _ row: Int) -> Bool {
        body[bits.lowerBound + row / 8] >> UInt8(row % 8) & 1 == 1
    }

    func bit(_ column: Int, _ row: Int) -> Bool {
        body[columns[column].values.lowerBound + row / 8] >> UInt8(row % 8) & 1 == 1
    }

    /// The bytes of a value of a fixed size.
    @_lifetime(copy self)
    func bytes(_ column: Int, _ row: Int, size: Int) -> Span<UInt8> {
        let start = columns[column].values.lowerBound + row * size
        return body.extracting(start..<start + size)
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
        guard let place = place(column, row, isLarge: isLarge) else { return nil }
        return body.extracting(place)
    }

    /// Where a text lies in the body; nil if its ends are not in the batch.
    func place(_ column: Int, _ row: Int, isLarge: Bool) -> Range<Int>? {
        let values = columns[column].values
        let start = offset(column, row, isLarge), end = offset(column, row + 1, isLarge)
        guard start >= 0, end >= start, end <= values.count else { return nil }
        return values.lowerBound + start..<values.lowerBound + end
    }

    private func offset(_ column: Int, _ row: Int, _ isLarge: Bool) -> Int {
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
