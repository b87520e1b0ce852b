import Points
import SQLite

/// The rows of a selection on their way through a gate, one after another.
struct DatabaseRows {
    var gate: RecordGate
    private let catalog: DatabaseCatalog
    private let input: String
    private let coordinates: DatabaseCoordinates
    private let roles: [Role]
    private var geometry = BinaryGeometry()
    /// The reference system of the last geometry, so that each is looked up once.
    private var referenceSystem: Int32?
    /// The columns whose binary values were noted.
    private var noted: Set<Int> = []

    /// What a column's values become.
    private enum Role {
        case coordinates
        case id(AttributeSlot)
        case attribute(AttributeSlot)
        case boolean(AttributeSlot)
    }

    init(
        _ selection: DatabaseSelection, _ catalog: DatabaseCatalog, gate: RecordGate,
        of input: String
    ) throws(InputError) {
        var gate = gate
        self.catalog = catalog
        self.input = input
        if let system = selection.referenceSystem {
            gate.crs = try catalog.meaning(ofReferenceSystem: system, in: input) ?? gate.crs
        }
        coordinates = selection.coordinates
        let idColumn =
            gate.takesIDsFromInput ? selection.columns.firstIndex(where: \.isFeatureID) : nil
        roles = selection.columns.enumerated().map { index, column in
            switch selection.coordinates {
            case .geometry(index), .columns(index, _), .columns(_, index): return .coordinates
            default: break
            }
            let slot = gate.slot(named: column.name)
            if index == idColumn { return .id(slot) }
            return column.isBoolean ? .boolean(slot) : .attribute(slot)
        }
        self.gate = gate
    }

    /// Passes the row that the statement stands at.
    mutating func pass(_ row: borrowing Statement) throws(InputError) {
        gate.begin()
        for (column, role) in roles.enumerated() {
            switch role {
            case .coordinates: break
            case .id(let slot): addID(slot, row, column)
            case .attribute(let slot): addAttribute(slot, row, column)
            case .boolean(let slot): addBoolean(slot, row, column)
            }
        }
        switch coordinates {
        case .geometry(let column): try endWithGeometry(row, column)
        case .columns(let x, let y): endWithColumns(row, x, y)
        }
    }

    // MARK: Coordinates

    private mutating func endWithGeometry(
        _ row: borrowing Statement, _ column: Int
    ) throws(InputError) {
        switch row.kind(at: column) {
        case .null: return gate.reject(.noLocation, "has no geometry")
        case .text: return endWithText(row, column)
        case .blob: break
        default: return gate.reject(.badCoordinates, "has a number as its geometry")
        }
        do { try geometry.read(row.blob(at: column)) } catch {
            return gate.reject(error.reason, error.phrase)
        }
        if let system = geometry.referenceSystem, system != referenceSystem {
            referenceSystem = system
            gate.crs = try catalog.meaning(ofReferenceSystem: system, in: input) ?? gate.crs
        }
        if geometry.positions.count == 2 {
            gate.end(x: geometry.positions[0], y: geometry.positions[1])
        } else {
            gate.end(positions: geometry.positions)
        }
    }

    /// Ends with a geometry in well-known text, as GDAL writes it with `FORMAT=WKT`.
    private mutating func endWithText(_ row: borrowing Statement, _ column: Int) {
        let text = row.text(at: column) ?? ""
        var block = ByteBlock(capacity: text.utf8.count)
        block.assign(Array(text.utf8))
        defer { extendLifetime(block) }
        var cursor = block.cursor()
        do {
            gate.end(positions: try WKTPoint.positions(&cursor))
        } catch {
            let (reason, problem) = error.problem(Snippet.of(text))
            gate.reject(reason, problem)
        }
    }

    private mutating func endWithColumns(_ row: borrowing Statement, _ x: Int, _ y: Int) {
        if row.kind(at: x) == .null, row.kind(at: y) == .null {
            return gate.reject(.noLocation, "has no coordinates")
        }
        guard let xValue = Self.number(row, x), let yValue = Self.number(row, y) else {
            let texts = [x, y].map { Snippet.of(row.text(at: $0) ?? "") }
            return gate.reject(
                .badCoordinates,
                "has the coordinates \(texts[0]), \(texts[1]), which are not both numbers")
        }
        gate.end(x: xValue, y: yValue)
    }

    /// A coordinate, as a number or as a text that spells one.
    private static func number(_ row: borrowing Statement, _ column: Int) -> Double? {
        switch row.kind(at: column) {
        case .integer, .double: row.double(at: column)
        case .text: NumberText.value(of: row.text(at: column) ?? "")?.asNumber
        case .blob, .null: nil
        }
    }

    // MARK: Attributes

    private mutating func addID(_ slot: AttributeSlot, _ row: borrowing Statement, _ column: Int) {
        if row.kind(at: column) == .integer {
            gate.setID(.integer(row.integer(at: column)))
        } else {
            addAttribute(slot, row, column)
        }
    }

    private mutating func addBoolean(
        _ slot: AttributeSlot, _ row: borrowing Statement, _ column: Int
    ) {
        if row.kind(at: column) == .integer, 0...1 ~= row.integer(at: column) {
            gate.add(slot, bool: row.integer(at: column) == 1)
        } else {
            addAttribute(slot, row, column)
        }
    }

    private mutating func addAttribute(
        _ slot: AttributeSlot, _ row: borrowing Statement, _ column: Int
    ) {
        switch row.kind(at: column) {
        case .integer: gate.add(slot, integer: row.integer(at: column))
        case .double: gate.add(slot, number: row.double(at: column))
        case .text: gate.addText(slot, row.blob(at: column))
        case .blob: noteBinary(slot)
        case .null: break
        }
    }

    private mutating func noteBinary(_ slot: AttributeSlot) {
        guard !noted.contains(slot.index) else { return }
        noted.insert(slot.index)
        gate.noteBinary(gate.name(of: slot))
    }
}

extension BinaryGeometryFault {
    /// How a record with this fault is counted.
    var reason: RejectReason { if case .notPoints = self { .notAPoint } else { .badCoordinates } }

    /// What is wrong, as it goes on after "row 7".
    var phrase: String {
        if case .notPoints(let name) = self { return "is a \(name); clusters are made of points" }
        return "has a damaged geometry: \(description)"
    }
}
