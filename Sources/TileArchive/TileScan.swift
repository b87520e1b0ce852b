import Geometry
import SQLite

/// Goes through an archive's tiles by zoom, column and row, one at a time.
///
///     var scan = try archive.scan(zooms: 3...5)
///     while let tile = try scan.next() { use(tile, scan.bytes) }
public struct TileScan: ~Copyable {
    private let database: Database
    private let budget = StepBudget()
    private var rows: Statement
    private let path: String
    /// Rows passed over because their numbers name no tile.
    public private(set) var strayRows = 0

    init(
        _ opened: consuming Database, zooms: ClosedRange<Int>, path: String
    ) throws(SQLiteError) {
        var database = opened
        budget.bind(&database)
        var rows = try database.prepare(
            """
            SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles
            WHERE zoom_level BETWEEN ?1 AND ?2 ORDER BY zoom_level, tile_column, tile_row
            """)
        try rows.bind(zooms.lowerBound, at: 1)
        try rows.bind(zooms.upperBound, at: 2)
        self.rows = rows
        self.database = database
        self.path = path
    }

    /// Goes to the next tile; nil when there is none.
    public mutating func next() throws(ArchiveError) -> TileID? {
        budget.renew()
        do {
            while try rows.step() {
                if let tile = TileID(row: rows) { return tile }
                strayRows += 1
            }
            return nil
        } catch {
            throw ArchiveError(reading: path, error)
        }
    }

    /// The stored bytes of the tile that `next` went to, valid until it is called again.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { unsafe _overrideLifetime(rows.blob(at: 3), borrowing: self) }
    }
}

// It owns its connection alone, and every use that moves it is exclusive.
extension TileScan: @unchecked Sendable {}
