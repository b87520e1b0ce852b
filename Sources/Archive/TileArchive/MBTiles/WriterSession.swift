import Geometry
import SQLite

/// The database under a writer: its tables, its one transaction and its prepared statements.
struct WriterSession: ~Copyable {
    private var database: Database
    private var tiles: TileTable
    private var payloads: PayloadTable?
    private let mayChange: Bool

    init(
        path: String, hasFewTiles: Bool, mayChange: Bool, isCancelled: (@Sendable () -> Bool)?
    ) throws(SQLiteError) {
        var database = try Database(path: path, mode: .readWriteCreate)
        if let isCancelled {
            database.watchProgress(everySteps: 100_000) { !isCancelled() }
        }
        // No journal and no waiting for the disk, as the file has no readers until it is published.
        // 0x4d504258 is "MPBX" (MBTiles 1.3, Database).
        try database.execute(
            """
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA page_size = \(Self.pageSize(hasFewTiles: hasFewTiles));
            PRAGMA cache_size = -\(Self.cacheKiB);
            BEGIN;
            PRAGMA application_id = \(ContainerAudit.applicationID);
            CREATE TABLE metadata (name TEXT, value TEXT);
            """)
        tiles = try TileTable(in: database)
        payloads = nil
        self.mayChange = mayChange
        self.database = database
    }

    static func pageSize(hasFewTiles: Bool) -> Int64 { hasFewTiles ? 4_096 : 16_384 }

    /// The page cache, which also limits the memory for sorting the index keys.
    private static let cacheKiB = 32 << 10

    /// Adds a tile; `inOrder` says that all tiles so far came in key order.
    mutating func write(
        _ tile: TileID, _ bytes: Span<UInt8>, inOrder: Bool
    ) throws(SQLiteError) {
        if !inOrder { try tiles.dropIndex(in: database) }
        try tiles.write(tile, bytes)
    }

    mutating func write(payload: Span<UInt8>) throws(SQLiteError) {
        if payloads == nil { payloads = try PayloadTable(in: database, mayChange: mayChange) }
        try payloads?.write(payload)
    }

    /// Completes the table and its index, which finds tiles that were written twice.
    mutating func finishTiles(path: String) throws(ArchiveError) {
        do {
            try tiles.finish(in: database)
        } catch {
            guard error.fault.kind == .constraint, let twice = try? duplicateTile() else {
                throw ArchiveError(writing: path, error)
            }
            throw .duplicateTile(path: path, twice)
        }
    }

    private func duplicateTile() throws(SQLiteError) -> TileID? {
        var rows = try database.prepare(
            """
            SELECT zoom_level, tile_column, tile_row FROM tiles
            GROUP BY 1, 2, 3 HAVING count(*) > 1 LIMIT 1
            """)
        return try rows.step() ? TileID(row: rows) : nil
    }

    /// The hash over all tiles, which are read again in key order.
    mutating func tilesHash() throws(SQLiteError) -> String {
        var hash = TilesHash()
        var rows = try database.prepare(
            """
            SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles
            ORDER BY zoom_level, tile_column, tile_row
            """)
        while try rows.step() {
            if let tile = TileID(row: rows) { hash.include(tile, rows.blob(at: 3)) }
        }
        return hash.finish()
    }

    mutating func write(_ metadata: ArchiveMetadata) throws(SQLiteError) {
        try database.insert(metadata)
        try database.execute("CREATE UNIQUE INDEX name ON metadata (name)")
    }

    mutating func commit() throws(SQLiteError) {
        try database.execute("COMMIT")
    }
}

extension Database {
    /// Fills the table of metadata.
    func insert(_ metadata: ArchiveMetadata) throws(SQLiteError) {
        var insert = try prepare("INSERT INTO metadata VALUES (?1, ?2)")
        for row in metadata.rows {
            try insert.bind(row.name, at: 1)
            try insert.bind(row.value, at: 2)
            try insert.run()
        }
    }
}

extension TileID {
    /// The tile in the first three columns of a row, if they name one.
    init?(row: borrowing Statement) {
        self.init(
            zoom: Int(row.integer(at: 0)), column: Int(row.integer(at: 1)),
            tmsRow: Int(row.integer(at: 2)))
    }
}
