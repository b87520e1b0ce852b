import Points

/// A column of attributes in a range of rows, prepared for a loop over the rows.
///
/// Values that only need to be packed go directly into the record; `write` leaves all others to the
/// caller.
struct ColumnLane {
    enum Action {
        case double, float, text, bool, closerLook
        case integer(bytes: Int, isSigned: Bool)
    }

    let column: Int
    let attribute: InputAttribute
    private let key: AttributeKey
    private let action: Action
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
        texts = isPlain && field.kind == .text(isLarge: false) ? batch.texts(column, rows) : 0..<0
        action = isPlain ? Self.action(field.kind, texts) : .closerLook
    }

    private static func action(_ kind: ColumnKind, _ texts: Range<Int>) -> Action {
        switch kind {
        case .double: .double
        case .float: .float
        case .bool: .bool
        case .integer(let bytes, let isSigned): .integer(bytes: bytes, isSigned: isSigned)
        case .text where !texts.isEmpty: .text
        default: .closerLook
        }
    }

    /// Packs a row's value; false leaves it to the caller.
    @inline(__always)
    func write(_ row: Int, of batch: borrowing ColumnBatch, to writer: inout RecordWriter) -> Bool {
        if validity >= 0, !batch.isSet(validity, row) { return true }
        guard writer.room >= RecordWriter.longestNumber else { return false }
        switch action {
        case .double:
            let bits = batch.load(UInt64.self, at: values + 8 * row)
            // NaN means no value.
            let number = Double(bitPattern: bits)
            if !number.isNaN { writer.append(key, number: number) }
        case .float:
            let number = Float(bitPattern: batch.load(UInt32.self, at: values + 4 * row))
            if !number.isNaN { writer.append(key, number: Double(number)) }
        case .integer(let bytes, let isSigned):
            writeInteger(bytes, isSigned, row, of: batch, to: &writer)
        case .bool: writer.append(key, bool: batch.isSet(values, row))
        case .text: return writeText(row, of: batch, to: &writer)
        case .closerLook: return false
        }
        return true
    }

    @inline(__always)
    private func writeInteger(
        _ bytes: Int, _ isSigned: Bool, _ row: Int, of batch: borrowing ColumnBatch,
        to writer: inout RecordWriter
    ) {
        let offset = values + bytes * row
        switch (bytes, isSigned) {
        case (8, true): writer.append(key, integer: batch.load(Int64.self, at: offset))
        case (8, false): writer.append(key, unsigned: batch.load(UInt64.self, at: offset))
        case (4, true): writer.append(key, integer: Int64(batch.load(Int32.self, at: offset)))
        case (4, false): writer.append(key, unsigned: UInt64(batch.load(UInt32.self, at: offset)))
        case (2, true): writer.append(key, integer: Int64(batch.load(Int16.self, at: offset)))
        case (2, false): writer.append(key, unsigned: UInt64(batch.load(UInt16.self, at: offset)))
        case (_, true): writer.append(key, integer: Int64(batch.load(Int8.self, at: offset)))
        case (_, false): writer.append(key, unsigned: UInt64(batch.load(UInt8.self, at: offset)))
        }
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
