import SQLite

/// The rows to read: a table, a view or a query, its columns, and where the coordinates are.
struct DatabaseSelection {
    /// The SQL of the rows, with the columns in their order.
    let sql: String
    let columns: [DatabaseColumn]
    let coordinates: ColumnCoordinates
    /// The number of the layer's registered reference system.
    let referenceSystem: Int32?
    /// Whether the rows come from a view of the file.
    let isView: Bool
    /// Columns computed when read; no file may make this program compute them.
    let computedColumns: [String]

    /// The name of a query while it is read as a temporary view, which gives its columns types.
    private static let queryName = "query_of_the_user"

    init(
        from database: borrowing Database, _ catalog: DatabaseCatalog, options: InputOptions,
        input: String
    ) throws(InputError) {
        let table: String
        switch options.query {
        case .sql(let query):
            table = Self.queryName
            do {
                try database.createQuery(named: table, as: query)
            } catch {
                let tables = catalog.tables.joined(separator: ", ")
                throw .ambiguous(
                    input: input, problem: "the SQL query: \(error.fault.message)",
                    advice: "it must be one SELECT; there are \(tables)")
            }
        case .table(let name):
            guard let found = catalog.table(named: name) else {
                throw .ambiguous(
                    input: input, problem: "has no table \(name)",
                    advice: "it has \(catalog.tables.joined(separator: ", "))")
            }
            table = found
        case nil:
            if catalog.isTileArchive { throw .foreign(input: input, .tileArchive) }
            table = try Self.onlyTable(of: database, catalog, options, input)
        }
        let layer = catalog.layer(of: table)
        isView = catalog.views.contains(table)
        let all = try Self.columns(of: table, in: database, input)
        columns = all.filter { !$0.isComputed }
        computedColumns = all.filter(\.isComputed).map(\.name)
        coordinates = try Self.coordinates(in: columns, catalog, layer, options, input)
        referenceSystem = layer?.referenceSystem
        if case .geometry = coordinates, catalog.isSpatiaLite { throw .spatiaLite(input: input) }
        let names = columns.map(\.quoted).joined(separator: ", ")
        sql = "SELECT \(names) FROM \(DatabaseColumn.quoted(table))"
    }

    /// The only table with points; one without rows is no choice.
    private static func onlyTable(
        of database: borrowing Database, _ catalog: DatabaseCatalog, _ options: InputOptions,
        _ input: String
    ) throws(InputError) -> String {
        // A single table is chosen even if its columns must still be named.
        if let only = catalog.tables.first, catalog.tables.count == 1 { return only }
        var known = catalog.layers.map(\.table)
        if known.isEmpty {
            for table in catalog.tables {
                let columns = try columns(of: table, in: database, input).filter { !$0.isComputed }
                if (try? coordinates(in: columns, catalog, nil, options, input)) != nil {
                    known.append(table)
                }
            }
        }
        let full = known.filter { hasRows($0, in: database) }
        guard !catalog.tables.isEmpty, known.isEmpty || !full.isEmpty else {
            throw .empty(input: input)
        }
        let pointLayers = full.filter { catalog.layer(of: $0)?.mayHoldPoints ?? true }
        let candidates = pointLayers.isEmpty ? full : pointLayers
        if let only = candidates.first, candidates.count == 1 { return only }
        let problem =
            candidates.isEmpty
            ? "no table of it has a geometry or columns that look like coordinates"
            : "\(candidates.count) of its tables have points"
        let names = candidates.isEmpty ? catalog.tables : candidates
        throw .ambiguous(
            input: input, problem: problem,
            advice: "choose one with --table: \(names.joined(separator: ", "))")
    }

    /// Whether a table has rows; one whose rows cannot be read counts as if it had.
    private static func hasRows(_ table: String, in database: borrowing Database) -> Bool {
        do {
            var statement = try database.prepare(
                "SELECT 1 FROM \(DatabaseColumn.quoted(table)) LIMIT 1")
            return try statement.step()
        } catch { return true }
    }

    private static func columns(
        of table: String, in database: borrowing Database, _ input: String
    ) throws(InputError) -> [DatabaseColumn] {
        var columns: [DatabaseColumn] = []
        do {
            // Hidden 1 is a virtual table's hidden column; 2 is computed when read, 3 when written.
            var statement = try database.prepare(
                "SELECT name, type, pk, hidden FROM pragma_table_xinfo(?) WHERE hidden <> 1")
            try statement.bind(table, at: 1)
            while try statement.step() {
                columns.append(
                    DatabaseColumn(
                        name: statement.text(at: 0) ?? "",
                        declaredType: (statement.text(at: 1) ?? "").uppercased(),
                        isPrimaryKey: statement.integer(at: 2) > 0,
                        isComputed: statement.integer(at: 3) == 2))
            }
        } catch { throw error.inInput(input, at: "table \(table)") }
        // A key of several columns is no id.
        if columns.count(where: \.isPrimaryKey) > 1 {
            for index in columns.indices { columns[index].isPrimaryKey = false }
        }
        return columns
    }

    private static func coordinates(
        in columns: [DatabaseColumn], _ catalog: DatabaseCatalog, _ layer: DatabaseCatalog.Layer?,
        _ options: InputOptions, _ input: String
    ) throws(InputError) -> ColumnCoordinates {
        let names = columns.map(\.name)
        if options.xColumn == nil, options.yColumn == nil {
            if let layer {
                return try .geometry(
                    CoordinateNames.column(layer.geometryColumn, among: names, input: input))
            }
            let geometries = CoordinateNames.geometries.union(
                catalog.layers.map { $0.geometryColumn.lowercased() })
            if let geometry = names.firstIndex(where: { geometries.contains($0.lowercased()) }) {
                return .geometry(geometry)
            }
        }
        guard let (x, y) = try CoordinateNames.pair(among: names, options, input: input) else {
            throw .noCoordinates(input: input, available: names)
        }
        return .columns(x: x, y: y)
    }
}
