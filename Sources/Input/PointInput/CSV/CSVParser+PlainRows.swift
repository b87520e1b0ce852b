// Fast reading of rows whose cells all have their columns' kinds, as in most rows.

extension CSVParser {
    /// Reads a row whose cells have their columns' kinds; false leaves the row to `parseRow`.
    @inline(__always)
    mutating func parsePlainRow() -> Bool {
        // An empty line is not a row.
        if bytes.byte == 0x0A || bytes.byte == 0x0D { return false }
        let start = bytes.offset
        builder.begin(at: start)
        if looksCloser { coordinates.clear() }
        // A row that needs more room is read by `parseRow`.
        let room = 4_096
        var row = CSVPlainRow(
            bytes, unsafe builder.batch.records.lendWriter(room: room), delimiter: layout.delimiter,
            hasQuotes: layout.quotes != .letters)
        var index = start
        for column in plans.indices {
            if column > 0 {
                index = row.skipDelimiter(index)
                guard index >= 0 else { return cancelRow(at: start) }
            }
            let next = read(plans[column], &row, index)
            if next >= 0 {
                index = next
                continue
            }
            guard plans[column].action == .closerLook else { return cancelRow(at: start) }
            builder.batch.records.take(row.writer)
            bytes.move(to: index)
            guard parseCell(column, from: start) else { return true }
            index = bytes.offset
            row.writer = unsafe builder.batch.records.lendWriter(room: room)
        }
        index = row.skipLineEnd(index)
        guard index >= 0 else { return cancelRow(at: start) }
        builder.batch.records.take(row.writer)
        bytes.move(to: index)
        if looksCloser { finishRow() } else { builder.end(x: row.x, y: row.y) }
        return true
    }

    @inline(__always)
    private func read(_ plan: CSVPlan, _ row: inout CSVPlainRow, _ index: Int) -> Int {
        switch plan.action {
        case .x, .y, .number: row.readNumber(plan, index)
        case .text: row.readText(plan.key, index)
        case .bool: row.readBool(plan.key, index)
        case .pass: row.passCell(index)
        case .closerLook: row.skipBlank(index)
        }
    }

    /// Discards what was read of a row, which `parseRow` then reads.
    private mutating func cancelRow(at start: Int) -> Bool {
        bytes.move(to: start)
        builder.cancel()
        return false
    }

    mutating func makePlans() {
        plannedChange = kinds.changeCount
        plans = attributes.indices.map { column in
            let attribute = attributes[column]
            return CSVPlan(action: action(column), key: builder.plans[attribute.index].key)
        }
    }

    private func action(_ column: Int) -> CSVPlan.Action {
        if hasNoData { return .closerLook }
        switch layout.roles[column] {
        case .x: return .x
        case .y: return .y
        case .geometry, .latitudeFirst, .geohash: return .closerLook
        case .attribute: break
        }
        let attribute = attributes[column]
        if builder.isIgnored(attribute) { return .pass }
        guard builder.plans[attribute.index].isPlain else { return .closerLook }
        switch kinds[column] {
        case .number where !kinds.hasDecimalCommas: return .number
        case .bool: return .bool
        case .text where kinds.isSettled(column): return .text
        default: return .closerLook
        }
    }
}
