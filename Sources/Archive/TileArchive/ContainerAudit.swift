import SQLite

/// The faults of an archive's database: by SQLite's own checks, and by MBTiles 1.3 on its rows.
public struct ContainerAudit: Sendable {
    /// The damage that SQLite finds in the file, in its own words.
    public internal(set) var damage: [String] = []
    /// The application id, if it is the one of another format.
    public private(set) var foreignApplicationID: Int64?
    /// How many rows of tiles have numbers that name no tile, and the first of these numbers as written.
    public private(set) var strayCount = 0
    public private(set) var strayKeys: [String] = []
    /// Violations of the rules of PMTiles.
    public var pmtiles: [PMTilesProblem] = []

    /// "MPBX", the application id of MBTiles 1.3.
    static let applicationID: Int64 = 0x4d50_4258
    private static let mostKeys = 20

    /// The audit of a container without faults.
    public init() {}

    /// - Parameter strays: names or numbers of entries that name no tile, as they are written.
    init(damage: [String], strays: [String]) {
        self.damage = damage
        strayCount = strays.count
        strayKeys = Array(strays.prefix(Self.mostKeys))
    }

    /// - Parameter mostRows: the most strays that are counted, since a view may generate them without end.
    init(of database: borrowing Database, mostRows: Int) throws(SQLiteError) {
        damage = try Self.surviving { () throws(SQLiteError) in try Self.damage(of: database) }
        let id = try database.integer("PRAGMA application_id") ?? 0
        if id != 0 && id != Self.applicationID { foreignApplicationID = id }
        damage += try Self.surviving { () throws(SQLiteError) in
            try countStrays(in: database, mostRows)
            return []
        }
    }

    /// Reports a page that SQLite cannot read as damage, so that the other checks go on.
    private static func surviving(
        _ check: () throws(SQLiteError) -> [String]
    ) throws(SQLiteError) -> [String] {
        do throws(SQLiteError) {
            return try check()
        } catch {
            guard error.fault.kind == .corrupt else { throw error }
            return [error.fault.message]
        }
    }

    private static func damage(of database: borrowing Database) throws(SQLiteError) -> [String] {
        var rows = try database.prepare("PRAGMA integrity_check(20)")
        var damage: [String] = []
        while try rows.step() {
            if let text = rows.text(at: 0), text != "ok" { damage.append(text) }
        }
        return damage
    }

    /// The rows whose zoom, column and row name no tile; every look-up ignores them.
    private static let strays = """
        FROM tiles
        WHERE typeof(zoom_level) <> 'integer' OR typeof(tile_column) <> 'integer'
        OR typeof(tile_row) <> 'integer' OR zoom_level NOT BETWEEN 0 AND 31
        OR tile_column NOT BETWEEN 0 AND (1 << zoom_level) - 1
        OR tile_row NOT BETWEEN 0 AND (1 << zoom_level) - 1
        """

    static func strayCount(
        in database: borrowing Database, mostRows: Int
    ) throws(SQLiteError) -> Int {
        let rows = "SELECT 1 \(strays) LIMIT \(mostRows)"
        return Int(try database.integer("SELECT count(*) FROM (\(rows))") ?? 0)
    }

    private mutating func countStrays(
        in database: borrowing Database, _ mostRows: Int
    ) throws(SQLiteError) {
        var strays = try database.prepare(
            """
            SELECT quote(zoom_level), quote(tile_column), quote(tile_row) \(Self.strays)
            LIMIT \(mostRows)
            """)
        while try strays.step() {
            strayCount += 1
            guard strayKeys.count < Self.mostKeys else { continue }
            strayKeys.append((0..<3).map { strays.text(at: $0) ?? "NULL" }.joined(separator: ","))
        }
    }
}
