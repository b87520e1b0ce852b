import Points

/// A column of attributes in a range of rows, prepared for a loop over the rows.
///
/// Values that only need to be packed go directly into the record; `write` leaves all others to the
/// caller.
struct ColumnLane {
    let column: Int
    let attribute: InputAttribute
    private let key: AttributeKey
    /// The kind of values that are packed here; `other` if none are.
    private let kind: ColumnKind
    /// The offset of the validity bitmap; −1 if all rows have a value.
    private let validity: Int
    private let values: Int
    private let offsets: Int
    /// The range of the texts, which together are valid UTF-8.
    private let texts: Range<Int>

    init(
        _ column: Int, _ field: ColumnField, _ attribute: InputAttribute, _ plan: AttributePlan,
        rows: Range<Int>, of batch: borrowing ColumnBatch
    ) {
        self.column = column
        self.attribute = attribute
        key = plan.key
        let place = batch.columns[column]
        validity = place.validity?.lowerBound ?? -1
        values = place.values.lowerBound
        offsets = place.offsets.lowerBound
        let isPlain = plan.isPlain && place.outer.isEmpty
        let isText = field.kind == .text(isLarge: false)
        texts = isPlain && isText ? batch.texts(column, rows) : 0..<0
        kind = isPlain && !(isText && texts.isEmpty) ? field.kind : .other
    }

    /// Packs a row's value; false leaves it to the caller.
    @inline(__always)
    func write(_ row: Int, of batch: borrowing ColumnBatch, to writer: inout RecordWriter) -> Bool {
        if validity >= 0, !batch.isSet(validity, row) { return true }
        guard writer.room >= RecordWriter.longestNumber else { return false }
        switch kind {
        case .double:
            let bits = batch.load(UInt64.self, at: values + 8 * row)
            // NaN and infinite numbers mean no value.
            let number = Double(bitPattern: bits)
            if number.isFinite { writer.append(key, number: number) }
        case .float:
            let number = Float(bitPattern: batch.load(UInt32.self, at: values + 4 * row))
            if number.isFinite { writer.append(key, number: Double(number)) }
        case .integer(let bytes, let isSigned):
            let whole = batch.whole(bytes, isSigned, at: values + bytes * row)
            if isSigned {
                writer.append(key, integer: whole)
            } else {
                writer.append(key, unsigned: UInt64(bitPattern: whole))
            }
        case .bool: writer.append(key, bool: batch.isSet(values, row))
        case .text(isLarge: false): return writeText(row, of: batch, to: &writer)
        default: return false
        }
        return true
    }

    @inline(__always)
    private func writeText(
        _ row: Int, of batch: borrowing ColumnBatch, to writer: inout RecordWriter
    ) -> Bool {
        let start = values + Int(batch.load(Int32.self, at: offsets + 4 * row))
        let end = values + Int(batch.load(Int32.self, at: offsets + 4 * row + 4))
        // A part of valid UTF-8 is valid if neither end is within a character.
        guard start >= texts.lowerBound, end >= start, end <= texts.upperBound,
            writer.room >= RecordWriter.longestNumber + end - start,
            !batch.isWithinCharacter(start, texts), !batch.isWithinCharacter(end, texts)
        else { return false }
        writer.append(key, utf8: batch.bytes(at: start..<end))
        return true
    }
}
