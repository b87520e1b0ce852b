import SQLite

/// What a database says about itself: its tables, their geometries, their reference systems.
///
/// It knows the two registers there are: the GeoPackage's (OGC 12-128r19 2.1.5) and the older
/// `geometry_columns` that GDAL and SpatiaLite keep.
struct DatabaseCatalog {
    /// Tables and views that hold a user's data.
    private(set) var tables: [String] = []
    private(set) var layers: [Layer] = []
    /// The authority and its number, by the number that the database gives a reference system.
    private var systems: [Int32: (organization: String, code: Int)] = [:]

    /// A table or view whose geometry is registered.
    struct Layer {
        var table: String
        var geometryColumn: String
        var referenceSystem: Int32
        /// Whether the registered type leaves room for points.
        var mayHoldPoints: Bool
    }

    init(of database: borrowing Database) throws(SQLiteError) {
        var names: [String] = []
        var statement = try database.prepare(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")
        while try statement.step() { names.append(statement.text(at: 0) ?? "") }
        tables = names.filter { !Self.isInternal($0) }
        if names.contains("gpkg_geometry_columns") {
            layers = try Self.layers(
                of: database,
                "SELECT table_name, column_name, srs_id, geometry_type_name FROM "
                    + "gpkg_geometry_columns")
            systems = try Self.systems(
                of: database,
                "SELECT srs_id, organization, organization_coordsys_id FROM gpkg_spatial_ref_sys")
        } else if names.contains("geometry_columns") {
            layers = try Self.layers(
                of: database,
                "SELECT f_table_name, f_geometry_column, srid, geometry_type FROM geometry_columns")
            systems = try Self.systems(
                of: database, "SELECT srid, auth_name, auth_srid FROM spatial_ref_sys")
        }
        layers.removeAll { !tables.contains($0.table) }
    }

    private static func layers(
        of database: borrowing Database, _ sql: String
    ) throws(SQLiteError) -> [Layer] {
        var layers: [Layer] = []
        var statement = try database.prepare(sql)
        while try statement.step() {
            layers.append(
                Layer(
                    table: statement.text(at: 0) ?? "", geometryColumn: statement.text(at: 1) ?? "",
                    referenceSystem: Int32(truncatingIfNeeded: statement.integer(at: 2)),
                    mayHoldPoints: mayHoldPoints(statement.text(at: 3) ?? "")))
        }
        return layers
    }

    private static func systems(
        of database: borrowing Database, _ sql: String
    ) throws(SQLiteError) -> [Int32: (organization: String, code: Int)] {
        var systems: [Int32: (organization: String, code: Int)] = [:]
        var statement = try database.prepare(sql)
        while try statement.step() {
            systems[Int32(truncatingIfNeeded: statement.integer(at: 0))] =
                (statement.text(at: 1) ?? "EPSG", Int(statement.integer(at: 2)))
        }
        return systems
    }

    /// The type by its name in GeoPackages, by its number (with thousands for Z and M) elsewhere.
    private static func mayHoldPoints(_ type: String) -> Bool {
        if let number = Int(type) { return [0, 1, 4].contains(number % 1000) }
        return ["GEOMETRY", "POINT", "MULTIPOINT"].contains(type.uppercased())
    }

    private static func isInternal(_ name: String) -> Bool {
        let registers = [
            "spatial_ref_sys", "geometry_columns", "spatial_ref_sys_aux", "layer_styles",
            "geometry_columns_auth", "views_geometry_columns", "virts_geometry_columns",
        ]
        return ["sqlite_", "gpkg_", "rtree_", "idx_"].contains { name.hasPrefix($0) }
            || registers.contains(name)
    }

    /// The table's name as the database spells it.
    func table(named name: String) -> String? {
        if tables.contains(name) { return name }
        return tables.first { $0.lowercased() == name.lowercased() }
    }

    func layer(of table: String) -> Layer? { layers.first { $0.table == table } }

    /// What a reference system's number means here; nil where it is undefined, so that the options
    /// decide.
    func meaning(
        ofReferenceSystem number: Int32, in input: String
    ) throws(InputError) -> CoordinateSystem? {
        // OGC 12-128r19 2.1.5.1.1: 0 and -1 are undefined.
        guard number > 0 else { return nil }
        let (organization, code) = systems[number] ?? ("EPSG", Int(number))
        guard let system = CoordinateSystem(organization: organization, code: code) else {
            throw .unsupportedCRS(input: input, name: "\(organization):\(code)")
        }
        return system
    }
}
