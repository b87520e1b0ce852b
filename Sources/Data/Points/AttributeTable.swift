/// The packed records of many rows.
///
/// Records are kept in large pieces that never move, so that the table grows without copying.
public struct AttributeTable: Sendable {
    public let keys: AttributeKeys

    /// The start of each row's record: the piece in the upper, the offset in the lower 32 bits.
    @usableFromInline var starts = Column<UInt64>()
    @usableFromInline var pieces: [Column<UInt8>] = []

    public init(keys: AttributeKeys = AttributeKeys()) { self.keys = keys }

    public var count: Int { starts.count }

    /// The memory of the records.
    public var byteCount: Int { 8 * starts.count + recordBytes }

    /// The total bytes of all records.
    public var recordBytes: Int { pieces.reduce(0) { $0 + $1.count } }

    /// Appends rows whose records are one after another in `records`; `ends` has the end of each.
    public mutating func append(_ records: [UInt8], ends: Span<UInt32>) {
        append(records.span, ends: ends)
    }

    /// Appends rows whose records are one after another in `records`; `ends` has the end of each.
    public mutating func append(_ records: Span<UInt8>, ends: Span<UInt32>) {
        append(records, count: ends.count) { ends[$0] }
    }

    /// Appends `count` rows; `end` gives the end of each one's record in `records`.
    @inline(__always)
    mutating func append(_ records: Span<UInt8>, count: Int, end: (Int) -> UInt32) {
        guard count > 0 else { return precondition(records.isEmpty, "no row has these records") }
        makeRoom(records.count)
        let last = pieces.count - 1
        let base = UInt64(last) << 32 | UInt64(pieces[last].count)
        pieces[last].append(contentsOf: records)
        var start: UInt32 = 0
        starts.append(count: count) { row in
            defer { start = end(row) }
            return base + UInt64(start)
        }
        precondition(Int(start) == records.count, "the last record must end the bytes")
    }

    /// Appends the records of a table with the same keys.
    public mutating func append(_ other: AttributeTable) {
        var row = 0
        for piece in other.pieces.indices {
            var end = row
            while end < other.count, Int(truncatingIfNeeded: other.starts[end] >> 32) == piece {
                end += 1
            }
            let records = other.pieces[piece]
            let bytes = UInt32(records.count)
            append(records.span, count: end - row) { index in
                let next = row + index + 1
                return next < end
                    ? UInt32(truncatingIfNeeded: other.starts[next] & 0xFFFF_FFFF) : bytes
            }
            row = end
        }
    }

    /// Starts a new piece if the last has no room. The unfilled part takes no memory.
    private mutating func makeRoom(_ count: Int) {
        if let last = pieces.last, last.capacity - last.count >= count { return }
        precondition(count <= UInt32.max, "a piece holds at most 4 GiB of records")
        // As large as all pieces before, so that small tables stay small and large ones have few pieces.
        let filled = pieces.reduce(0) { $0 + $1.count }
        pieces.append(Column(capacity: max(count, min(max(filled, 1 << 16), 1 << 24))))
    }

    /// Appends one record of a table with the same keys.
    public mutating func append(record row: Int, of other: AttributeTable) {
        let record = other[row].bytes
        let end = UInt32(record.count)
        append(record, count: 1) { _ in end }
    }

    /// Appends the records in some rows of a table with the same keys.
    mutating func append(_ rows: Span<UInt32>, of other: AttributeTable) {
        for index in rows.indices { append(record: Int(rows[index]), of: other) }
    }

    /// Removes the last rows until `count` are left; removed records that share a piece with a
    /// remaining one keep their memory.
    public mutating func truncate(to count: Int) {
        guard count < starts.count else { return }
        let start = starts[count]
        let piece = Int(truncatingIfNeeded: start >> 32)
        let offset = Int(truncatingIfNeeded: start & 0xFFFF_FFFF)
        // Records may be empty: then remaining rows may also begin at the start of the piece.
        let stays = count > 0 && Int(truncatingIfNeeded: starts[count - 1] >> 32) == piece
        pieces.removeSubrange((stays ? piece + 1 : piece)...)
        if stays { pieces[piece].truncate(to: offset) }
        starts.truncate(to: count)
    }

    /// The record of a row, as a view that lives no longer than the table.
    @inlinable
    public subscript(row: Int) -> AttributeRecord {
        @_lifetime(borrow self)
        get {
            let start = starts[row]
            let piece = Int(truncatingIfNeeded: start >> 32)
            // A piece never moves, so its memory is valid while the table exists.
            let bytes = unsafe UnsafeBufferPointer(
                start: pieces[piece].base, count: pieces[piece].count)
            var end = bytes.count
            if row + 1 < starts.count, Int(truncatingIfNeeded: starts[row + 1] >> 32) == piece {
                end = Int(truncatingIfNeeded: starts[row + 1] & 0xFFFF_FFFF)
            }
            let range = Int(truncatingIfNeeded: start & 0xFFFF_FFFF)..<end
            let record = unsafe AttributeRecord(Span(_unsafeElements: bytes.extracting(range)))
            return unsafe _overrideLifetime(record, borrowing: self)
        }
    }

    /// Calls `body` with the record of a row; for tables in an object, whose parts can't be
    /// borrowed for longer.
    @inlinable
    public func withRecord<Result>(
        of row: Int, _ body: (borrowing AttributeRecord) throws -> Result
    ) rethrows -> Result {
        try body(self[row])
    }

    /// Calls `body` with the record of each row of a range, faster than row by row.
    @inlinable
    public func forEachRecord(
        of rows: Range<Int>, _ body: (_ row: Int, _ record: borrowing AttributeRecord) -> Void
    ) {
        let starts = starts.span
        var row = rows.lowerBound
        while row < rows.upperBound {
            let piece = starts[row] >> 32
            let records = pieces[Int(truncatingIfNeeded: piece)]
            let bytes = records.span
            while row < rows.upperBound, starts[row] >> 32 == piece {
                let hasNext = row + 1 < starts.count && starts[row + 1] >> 32 == piece
                let end =
                    hasNext ? Int(truncatingIfNeeded: starts[row + 1] & 0xFFFF_FFFF) : bytes.count
                let start = Int(truncatingIfNeeded: starts[row] & 0xFFFF_FFFF)
                body(row, AttributeRecord(bytes.extracting(start..<end)))
                row += 1
            }
        }
    }

    /// The unpacked value of an attribute of a row; for tests and single look-ups.
    public func value(of name: String, row: Int) -> AttributeValue? {
        guard let key = keys.key(named: name) else { return nil }
        return self[row].value(of: key)?.unpacked
    }
}
