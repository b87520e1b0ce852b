import Points
import SQLite

/// Passes the rows of a selection to a builder, one after another.
struct DatabaseRows {
    var builder: PointBuilder
    private let catalog: DatabaseCatalog
    private let coordinates: ColumnCoordinates
    private let roles: [Role]
    private var geometry = BinaryGeometry()
    /// The coordinate system of the layer in the catalog.
    private let declaredCRS: CoordinateSystem?
    /// The reference system of the last geometry, so that each is looked up once.
    private var referenceSystem: Int32?
    /// The columns whose binary values have been noted.
    private var noted: Set<Int> = []

    /// The use of a column's values.
    private enum Role {
        case coordinates
        case id(InputAttribute)
        case attribute(InputAttribute)
        case boolean(InputAttribute)
    }

    init(
        _ selection: DatabaseSelection, _ catalog: DatabaseCatalog, builder: PointBuilder
    ) throws(InputError) {
        var builder = builder
        self.catalog = catalog
        declaredCRS = selection.referenceSystem.flatMap(catalog.meaning)
        try builder.declare(declaredCRS)
        for column in selection.computedColumns {
            builder.note("left out the column \(column), which is computed when it is read")
        }
        coordinates = selection.coordinates
        let idColumn =
            builder.takesIDsFromInput ? selection.columns.firstIndex(where: \.isFeatureID) : nil
        roles = selection.columns.enumerated().map { index, column in
            if selection.coordinates.contains(index) { return .coordinates }
            let attribute = builder.attribute(named: column.name)
            if index == idColumn { return .id(attribute) }
            return column.isBoolean ? .boolean(attribute) : .attribute(attribute)
        }
        self.builder = builder
    }

    /// Passes the statement's current row.
    mutating func pass(_ row: borrowing Statement) throws(InputError) {
        builder.begin()
        for (column, role) in roles.enumerated() {
            switch role {
            case .coordinates: break
            case .id(let attribute): addID(attribute, row, column)
            case .attribute(let attribute): addAttribute(attribute, row, column)
            case .boolean(let attribute): addBoolean(attribute, row, column)
            }
        }
        switch coordinates {
        case .geometry(let column): try endWithGeometry(row, column)
        case .columns(let x, let y): endWithColumns(row, x, y)
        // Databases have no such columns.
        case .interleaved: break
        }
    }

    // MARK: Coordinates

    private mutating func endWithGeometry(
        _ row: borrowing Statement, _ column: Int
    ) throws(InputError) {
        switch row.kind(at: column) {
        case .null: return builder.reject(.noLocation, "has no geometry")
        case .text: return try endWithText(row, column)
        case .blob: break
        default: return builder.reject(.badCoordinates, "has a number as its geometry")
        }
        do {
            try geometry.read(row.blob(at: column), pointsFrom: builder.options.pointsFrom)
        } catch {
            return builder.reject(error.problem)
        }
        if let system = geometry.referenceSystem { try use(system) }
        builder.end(positions: geometry.positions)
    }

    /// Uses the reference system of the current geometry, unless the register has one for the layer.
    private mutating func use(_ system: Int32) throws(InputError) {
        guard declaredCRS == nil, system != referenceSystem else { return }
        referenceSystem = system
        try builder.declare(catalog.meaning(ofReferenceSystem: system))
    }

    /// Ends the row with a geometry in well-known text, as GDAL writes it with `FORMAT=WKT`.
    private mutating func endWithText(
        _ row: borrowing Statement, _ column: Int
    ) throws(InputError) {
        let text = row.text(at: column) ?? ""
        let found: (positions: [Double], system: Int32)
        do {
            found = try WKTPoint.positions(
                in: Array(text.utf8), pointsFrom: builder.options.pointsFrom)
        } catch {
            return builder.reject(error.problem(Snippet.of(text)))
        }
        if found.system > 0 { try use(found.system) }
        builder.end(positions: found.positions)
    }

    private mutating func endWithColumns(_ row: borrowing Statement, _ x: Int, _ y: Int) {
        if Self.isNothing(row, x) || Self.isNothing(row, y) {
            return builder.reject(.noLocation, "has no coordinates")
        }
        guard let xValue = Self.number(row, x), let yValue = Self.number(row, y) else {
            let texts = [x, y].map { Snippet.of(row.text(at: $0) ?? "") }
            return builder.reject(
                .badCoordinates,
                "has the coordinates \(texts[0]), \(texts[1]), which are not both numbers")
        }
        builder.end(x: xValue, y: yValue)
    }

    private static func isNothing(_ row: borrowing Statement, _ column: Int) -> Bool {
        switch row.kind(at: column) {
        case .null: true
        case .text: row.text(at: column)?.trimmingSpaces.isEmpty ?? true
        default: false
        }
    }

    /// A coordinate from a number or a text.
    private static func number(_ row: borrowing Statement, _ column: Int) -> Double? {
        switch row.kind(at: column) {
        case .integer, .double: row.double(at: column)
        case .text: NumberText.value(of: row.text(at: column) ?? "")?.asNumber
        case .blob, .null: nil
        }
    }

    // MARK: Attributes

    private mutating func addID(
        _ attribute: InputAttribute, _ row: borrowing Statement, _ column: Int
    ) {
        let isWhole = row.kind(at: column) == .integer
        // A GeoPackage has the column for the sake of its form (OGC 12-128r19 2.1.6.1.1).
        let isAttribute = !isWhole || !catalog.isGeoPackage
        if isAttribute { addAttribute(attribute, row, column) }
        // An attribute keeps what no tile can have as an id.
        guard isWhole, !isAttribute || row.integer(at: column) >= 0 else { return }
        builder.setID(.integer(row.integer(at: column)))
    }

    private mutating func addBoolean(
        _ attribute: InputAttribute, _ row: borrowing Statement, _ column: Int
    ) {
        if row.kind(at: column) == .integer, 0...1 ~= row.integer(at: column) {
            builder.add(attribute, bool: row.integer(at: column) == 1)
        } else {
            addAttribute(attribute, row, column)
        }
    }

    private mutating func addAttribute(
        _ attribute: InputAttribute, _ row: borrowing Statement, _ column: Int
    ) {
        switch row.kind(at: column) {
        case .integer: builder.add(attribute, integer: row.integer(at: column))
        case .double: builder.add(attribute, number: row.double(at: column))
        case .text: builder.addText(attribute, row.blob(at: column))
        case .blob: noteBinary(attribute)
        case .null: break
        }
    }

    private mutating func noteBinary(_ attribute: InputAttribute) {
        guard !noted.contains(attribute.index) else { return }
        noted.insert(attribute.index)
        builder.noteBinary(builder.name(of: attribute))
    }
}

extension BinaryGeometryFault {
    /// The reason under which a record with this fault is counted, and the problem in words.
    var problem: (RejectReason, String) {
        if case .notPoints(let name) = self { return RejectReason.notPoints(name) }
        return (.badCoordinates, "has a damaged geometry: \(description)")
    }
}
