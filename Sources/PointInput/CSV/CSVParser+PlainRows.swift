// Rows whose cells are all as their columns have them, which most rows are.

extension CSVParser {
    /// Reads a row whose cells are what their columns say; false leaves the row to `parseRow`.
    @inline(__always)
    mutating func parsePlainRow() -> Bool {
        // An empty line is no row.
        if bytes.byte == 0x0A || bytes.byte == 0x0D { return false }
        let start = bytes.position
        gate.begin(at: start)
        if hasGeometry { place.clear() }
        // A row that needs more room is read with a closer look.
        let room = 4_096
        var row = CSVPlainRow(
            bytes, gate.batch.records.lendWriter(room: room), delimiter: layout.delimiter)
        var place = start
        for column in plans.indices {
            if column > 0 {
                place = row.skipDelimiter(place)
                guard place >= 0 else { return cancelRow(at: start) }
            }
            let next = read(plans[column], &row, place)
            if next >= 0 {
                place = next
                continue
            }
            guard plans[column].action == .closerLook else { return cancelRow(at: start) }
            gate.batch.records.take(row.writer)
            bytes.move(to: place)
            guard parseCell(column, from: start) else { return true }
            place = bytes.position
            row.writer = gate.batch.records.lendWriter(room: room)
        }
        place = row.skipLineEnd(place)
        guard place >= 0 else { return cancelRow(at: start) }
        gate.batch.records.take(row.writer)
        bytes.move(to: place)
        if hasGeometry { finishRow() } else { gate.end(x: row.x, y: row.y) }
        return true
    }

    @inline(__always)
    private func read(_ plan: CSVPlan, _ row: inout CSVPlainRow, _ place: Int) -> Int {
        switch plan.action {
        case .x, .y, .number: row.readNumber(plan, place)
        case .text: row.readText(plan.key, place)
        case .bool: row.readBool(plan.key, place)
        case .pass: row.passCell(place)
        case .closerLook: row.skipBlank(place)
        }
    }

    /// Forgets what was read of a row, which then takes a closer look.
    private mutating func cancelRow(at start: Int) -> Bool {
        bytes.move(to: start)
        gate.cancel()
        return false
    }

    mutating func makePlans() {
        plannedChange = kinds.changeCount
        plans = slots.indices.map { column in
            let slot = slots[column]
            return CSVPlan(action: action(column), key: gate.plans[slot.index].key)
        }
    }

    private func action(_ column: Int) -> CSVPlan.Action {
        switch layout.roles[column] {
        case .x: return .x
        case .y: return .y
        case .geometry: return .closerLook
        case .attribute: break
        }
        let slot = slots[column]
        // Of two columns of one name the later one counts.
        if slots.count(where: { $0 == slot }) > 1 { return .closerLook }
        if gate.isIgnored(slot) { return .pass }
        guard gate.plans[slot.index].isPlain else { return .closerLook }
        switch kinds[column] {
        case .unknown: return .closerLook
        case .number: return .number
        case .bool: return .bool
        case .text: return .text
        }
    }
}
