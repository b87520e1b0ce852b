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
        for column in plans.indices {
            guard column == 0 || row.skipDelimiter() else { return cancelRow() }
            let plan = plans[column]
            let isRead =
                switch plan.action {
                case .x, .y, .number: row.readNumber(plan)
                case .text: row.readText(plan.key)
                case .bool: row.readBool(plan.key)
                case .pass: row.passCell()
                case .closerLook: row.isAtCellEnd
                }
            if isRead { continue }
            guard plan.action == .closerLook else { return cancelRow() }
            gate.batch.records.take(row.writer)
            bytes = row.bytes
            guard parseCell(column, from: start) else { return true }
            row.bytes = bytes
            row.writer = gate.batch.records.lendWriter(room: room)
        }
        guard row.skipLineEnd() else { return cancelRow() }
        gate.batch.records.take(row.writer)
        bytes = row.bytes
        if hasGeometry { finishRow() } else { gate.end(x: row.x, y: row.y) }
        return true
    }

    /// Forgets what was read of a row, which then takes a closer look.
    private mutating func cancelRow() -> Bool {
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
