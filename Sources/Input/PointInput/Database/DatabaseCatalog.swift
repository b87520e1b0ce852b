import SQLite

/// A database's description of itself: its tables, their geometries, their reference systems.
///
/// It reads both registers: the GeoPackage's (OGC 12-128r19 2.1.5) and the older `geometry_columns`
/// of GDAL and SpatiaLite.
struct DatabaseCatalog {
    /// Tables and views with a user's data.
    private(set) var tables: [String] = []
    /// The views among them.
    private(set) var views: Set<String> = []
    /// Whether it is an MBTiles archive (MBTiles 1.3, "Database").
    private(set) var isTileArchive = false
    /// Whether SpatiaLite made it.
    private(set) var isSpatiaLite = false
    private(set) var isGeoPackage = false
    private(set) var layers: [Layer] = []
    /// The authority and number of each reference system, by the database's own number.
    private var systems: [Int32: ReferenceSystem] = [:]

    /// A reference system as the database describes it.
    private struct ReferenceSystem {
        var organization: String
        var code: Int
        /// Well-known text, if it has some.
        var definition = ""
    }

    /// A table or view with a registered geometry.
    struct Layer {
        var table: String
        var geometryColumn: String
        var referenceSystem: Int32
        /// Whether the registered type includes points.
        var mayHoldPoints: Bool
    }

    init(of database: borrowing Database) throws(SQLiteError) {
        var names: [String] = []
        var statement = try database.prepare(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")
        while try statement.step() {
            names.append(statement.text(at: 0) ?? "")
            if statement.text(at: 1) == "view" { views.insert(names[names.count - 1]) }
        }
        isTileArchive = names.contains("tiles") && names.contains("metadata")
        isSpatiaLite = names.contains("spatialite_history")
        isGeoPackage = names.contains { $0.hasPrefix("gpkg_") }
        tables = names.filter { !Self.isInternal($0) }
        if names.contains("gpkg_geometry_columns") {
            layers = try Self.layers(
                of: database,
                "SELECT table_name, column_name, srs_id, geometry_type_name FROM "
                    + "gpkg_geometry_columns")
            systems = try Self.systems(of: database, in: "gpkg_spatial_ref_sys")
        } else if names.contains("geometry_columns") {
            layers = try Self.layers(
                of: database,
                "SELECT f_table_name, f_geometry_column, srid, geometry_type FROM geometry_columns")
            systems = try Self.systems(of: database, in: "spatial_ref_sys")
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

    /// The systems in a register. Programs give it more columns or fewer.
    private static func systems(
        of database: borrowing Database, in table: String
    ) throws(SQLiteError) -> [Int32: ReferenceSystem] {
        var systems: [Int32: ReferenceSystem] = [:]
        var statement = try database.prepare("SELECT * FROM \(table)")
        let names = (0..<statement.columnCount).map { statement.name(ofColumn: $0).lowercased() }
        func column(_ usual: String...) -> Int? { usual.lazy.compactMap(names.firstIndex).first }
        guard let number = column("srs_id", "srid"),
            let organization = column("organization", "auth_name"),
            let code = column("organization_coordsys_id", "auth_srid")
        else { return [:] }
        let texts = ["definition", "srtext", "proj4text"].compactMap(names.firstIndex)
        while try statement.step() {
            var system = ReferenceSystem(
                organization: statement.text(at: organization) ?? "EPSG",
                code: Int(statement.integer(at: code)))
            for text in texts where CoordinateSystem(declared: system.definition) == nil {
                system.definition = statement.text(at: text) ?? ""
            }
            systems[Int32(truncatingIfNeeded: statement.integer(at: number))] = system
        }
        return systems
    }

    /// The type is a name in GeoPackages and a number (with thousands for Z and M) elsewhere.
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

    /// The table's name in the database's spelling.
    func table(named name: String) -> String? {
        if tables.contains(name) { return name }
        return tables.first { $0.lowercased() == name.lowercased() }
    }

    func layer(of table: String) -> Layer? { layers.first { $0.table == table } }

    /// The meaning of a reference system's number; nil if it is undefined, so that the options
    /// decide.
    func meaning(ofReferenceSystem number: Int32) -> CoordinateSystem? {
        // OGC 12-128r19 2.1.5.1.1: 0 and -1 are undefined.
        guard number > 0 else { return nil }
        let found = systems[number] ?? ReferenceSystem(organization: "EPSG", code: Int(number))
        // GDAL has no number for these; their text identifies them.
        if found.definition.contains("CRS84") { return .lonLat }
        let text = CoordinateSystem(declared: found.definition)
        let isUndefined = text == nil && !found.definition.isEmpty
        if isUndefined || found.organization.uppercased() == "NONE" { return text }
        return CoordinateSystem(
            authority: found.organization, code: "\(found.code)", otherwise: found.definition)
    }
}
