/// A view of a range of rows by columns, in Arrow's memory layout.
///
/// The reader that makes it ensures that each column is long enough for the rows; the ends of a
/// text are checked when it is read.
struct ColumnBatch: ~Escapable {
    let rowCount: Int
    private let body: Span<UInt8>
    let columns: [Column]

    /// The places of a column's bytes in the body.
    struct Column: Sendable {
        /// A bit a row, 1 if it has a value; nil if all have one.
        var validity: Range<Int>?
        /// The same for the structures that contain the column.
        var outer: [Range<Int>] = []
        var offsets = 0..<0
        var values = 0..<0
        /// The distance of binary values of one size, which include a gap of four bytes before each; otherwise 0.
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

    /// A row's bit in the bitmap at an offset.
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

    /// The whole number of 1, 2, 4 or 8 bytes at an offset; of unsigned ones that need 64 bits, the bits.
    @inline(__always)
    func whole(_ bytes: Int, _ isSigned: Bool, at offset: Int) -> Int64 {
        switch (bytes, isSigned) {
        case (8, _): load(Int64.self, at: offset)
        case (4, true): Int64(load(Int32.self, at: offset))
        case (4, false): Int64(load(UInt32.self, at: offset))
        case (2, true): Int64(load(Int16.self, at: offset))
        case (2, false): Int64(load(UInt16.self, at: offset))
        case (_, true): Int64(load(Int8.self, at: offset))
        case (_, false): Int64(load(UInt8.self, at: offset))
        }
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

    /// The bytes of a binary value, if all values of the column have one size and are present.
    @_lifetime(copy self)
    @inline(__always)
    func evenBytes(_ column: Int, _ row: Int) -> Span<UInt8>? {
        let step = columns[column].step
        guard step > 0 else { return nil }
        let start = columns[column].values.lowerBound + row * step
        return body.extracting(start + 4..<start + step)
    }

    /// The bytes of a text or a binary value; nil if its ends are not in the batch.
    @_lifetime(copy self)
    func bytes(_ column: Int, _ row: Int, isLarge: Bool) -> Span<UInt8>? {
        if let bytes = evenBytes(column, row) { return bytes }
        guard let place = place(column, row, isLarge: isLarge) else { return nil }
        return body.extracting(place)
    }

    /// The range of a text in the body; nil if its ends are not in the batch.
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
    /// The range of some rows' texts in the body, if together they are valid UTF-8; otherwise empty.
    func texts(_ column: Int, _ rows: Range<Int>) -> Range<Int> {
        guard let first = place(column, rows.lowerBound, isLarge: false),
            let last = place(column, max(rows.upperBound - 1, rows.lowerBound), isLarge: false),
            first.lowerBound < last.upperBound
        else { return 0..<0 }
        let texts = first.lowerBound..<last.upperBound
        return bytes(at: texts).isUTF8 ? texts : 0..<0
    }

    /// Whether an offset in a range of UTF-8 is in the middle of a character.
    @inline(__always)
    func isWithinCharacter(_ offset: Int, _ range: Range<Int>) -> Bool {
        offset < range.upperBound && body[offset] & 0xC0 == 0x80
    }

    @_lifetime(copy self)
    @inline(__always)
    func bytes(at range: Range<Int>) -> Span<UInt8> { body.extracting(range) }
}
