/// A view of a stretch of rows, column by column, as Arrow lays them out in memory.
///
/// That each column is as long as the rows need is up to the reader that makes it; a text's own ends are
/// checked when it is read.
struct ColumnBatch: ~Escapable {
    let rowCount: Int
    private let body: Span<UInt8>
    let columns: [Column]

    /// Where a column's bytes lie in the body.
    struct Column: Sendable {
        /// A bit a row, 1 where there is a value; nil where all have one.
        var validity: Range<Int>?
        /// Of a column within a structure: where that has a bit a row.
        var outer: [Range<Int>] = []
        var offsets = 0..<0
        var values = 0..<0
        /// How far binary values of one size are apart, each behind a gap of four bytes; else 0.
        var step = 0
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

    private func isSet(_ bits: Range<Int>, _ row: Int) -> Bool { isSet(bits.lowerBound, row) }

    /// A row's bit, of those that begin at an offset.
    @inline(__always)
    func isSet(_ bits: Int, _ row: Int) -> Bool {
        body[bits &+ row >> 3] >> UInt8(truncatingIfNeeded: row & 7) & 1 == 1
    }

    func bit(_ column: Int, _ row: Int) -> Bool { isSet(columns[column].values, row) }

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
        load(
            Integer.self, at: columns[column].values.lowerBound + row * MemoryLayout<Integer>.size)
    }

    /// The integer at an offset.
    @inline(__always)
    func load<Integer: FixedWidthInteger & BitwiseCopyable>(
        _: Integer.Type, at offset: Int
    ) -> Integer {
        precondition(offset >= 0 && offset <= body.count - MemoryLayout<Integer>.size)
        return Integer(
            littleEndian: unsafe body.bytes.unsafeLoadUnaligned(
                fromByteOffset: offset, as: Integer.self))
    }

    /// The bytes of a binary value, if the column's all have one size and are there.
    @_lifetime(copy self)
    @inline(__always)
    func evenBytes(_ column: Int, _ row: Int) -> Span<UInt8>? {
        let step = columns[column].step
        guard step > 0 else { return nil }
        let start = columns[column].values.lowerBound + row * step
        return body.extracting(start + 4..<start + step)
    }

    /// The bytes of a text or a binary value; nil if their ends are not in the batch.
    @_lifetime(copy self)
    func bytes(_ column: Int, _ row: Int, isLarge: Bool) -> Span<UInt8>? {
        if let bytes = evenBytes(column, row) { return bytes }
        guard let place = place(column, row, isLarge: isLarge) else { return nil }
        return body.extracting(place)
    }

    /// Where a text lies in the body; nil if its ends are not in the batch.
    @inline(__always)
    func place(_ column: Int, _ row: Int, isLarge: Bool) -> Range<Int>? {
        let values = columns[column].values
        let start = offset(column, row, isLarge), end = offset(column, row + 1, isLarge)
        guard start >= 0, end >= start, end <= values.count else { return nil }
        return values.lowerBound + start..<values.lowerBound + end
    }

    @inline(__always)
    private func offset(_ column: Int, _ row: Int, _ isLarge: Bool) -> Int {
        let start = columns[column].offsets.lowerBound
        return isLarge
            ? Int(load(Int64.self, at: start + 8 * row))
            : Int(load(Int32.self, at: start + 4 * row))
    }
}

// MARK: - Texts of many rows

extension ColumnBatch {
    /// Where the texts of some rows lie in the body, if all of them together are valid UTF-8; else empty.
    func texts(_ column: Int, _ rows: Range<Int>) -> Range<Int> {
        guard let first = place(column, rows.lowerBound, isLarge: false),
            let last = place(column, max(rows.upperBound - 1, rows.lowerBound), isLarge: false),
            first.lowerBound < last.upperBound
        else { return 0..<0 }
        let texts = first.lowerBound..<last.upperBound
        return bytes(at: texts).isUTF8 ? texts : 0..<0
    }

    /// Whether a place in a range of UTF-8 is in the middle of a character.
    @inline(__always)
    func isWithinCharacter(_ offset: Int, _ range: Range<Int>) -> Bool {
        offset < range.upperBound && body[offset] & 0xC0 == 0x80
    }

    @_lifetime(copy self)
    @inline(__always)
    func bytes(at range: Range<Int>) -> Span<UInt8> { body.extracting(range) }
}
