import Geometry
import SQLite

/// The table of tiles while it is written, and the unique index on it.
///
/// While tiles come in key order, the index grows with the table, each key after the last, which is cheaper than
/// sorting all keys at the end. After the first tile out of order, sorting is cheaper.
struct TileTable: ~Copyable {
    private var insertOne: Statement
    private var insertBatch: Statement
    private var batch = TileBatch()
    private var isIndexed = true

    private static let schema = """
        CREATE TABLE tiles (
            zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        """
    private static let index =
        "CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)"

    init(in database: borrowing Database) throws(SQLiteError) {
        try database.execute(Self.schema + Self.index)
        let insertOne = try database.prepare(TileBatch.insertion(rows: 1))
        insertBatch = try database.prepare(TileBatch.insertion(rows: TileBatch.capacity))
        self.insertOne = insertOne
    }

    mutating func write(_ tile: TileID, _ bytes: Span<UInt8>) throws(SQLiteError) {
        guard bytes.count < TileBatch.mostBytes else {
            // A large tile is inserted alone, without copying it.
            try flush()
            return try TileBatch.insert([tile], bytes, cutAt: [bytes.count], by: &insertOne)
        }
        batch.append(tile, bytes)
        if batch.isFull { try flush() }
    }

    /// Drops the index until the end, because a tile is out of order.
    mutating func dropIndex(in database: borrowing Database) throws(SQLiteError) {
        guard isIndexed else { return }
        try flush()
        try database.execute("DROP INDEX tile_index")
        isIndexed = false
    }

    /// Inserts the waiting tiles, and creates the index if it was dropped, which finds any tile that was written
    /// twice.
    mutating func finish(in database: borrowing Database) throws(SQLiteError) {
        try flush()
        guard !isIndexed else { return }
        try database.execute(Self.index)
        isIndexed = true
    }

    private mutating func flush() throws(SQLiteError) {
        if batch.hasAllRows {
            try batch.insert(0..<batch.tiles.count, by: &insertBatch)
        } else {
            for index in batch.tiles.indices {
                try batch.insert(index..<(index + 1), by: &insertOne)
            }
        }
        batch.removeAll()
    }
}
