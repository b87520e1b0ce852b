import Compression
import Geometry
import SQLite

/// A connection that looks up tiles; it may move between threads, one uses it at a time.
public struct TileLookup: ~Copyable {
    private let database: Database
    private let budget = StepBudget()
    private var lookUp: Statement
    private var inflater = GzipInflater()
    private let path: String

    /// How an archive is opened for look-ups.
    public struct Options: Sendable {
        /// So much of the file the connection may keep in memory.
        public var cacheBytes = 16 << 20
        /// Says that nobody changes the file in its place while it is open, as nobody does to an
        /// archive that covey wrote: then a look-up takes no lock, which is half of its time.
        public var trustsFile = false

        public init() {}
    }

    static let query =
        "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3"

    init(_ opened: consuming Database, path: String) throws(SQLiteError) {
        var database = opened
        budget.bind(&database)
        lookUp = try database.prepare(Self.query)
        self.database = database
        self.path = path
    }

    /// The tile's bytes as they are stored: gzip, for vector tiles; nil if there is none.
    public mutating func tile(at id: TileID) throws(ArchiveError) -> [UInt8]? {
        try withTile(at: id) { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
        }
    }

    /// The tile's contents, inflated if they are gzip, and at most `limit` bytes.
    public mutating func inflatedTile(
        at id: TileID, limit: Int
    ) throws(ArchiveError) -> [UInt8]? {
        guard let stored = try tile(at: id) else { return nil }
        guard GzipInflater.isGzip(stored.span) else { return stored }
        do {
            return try inflater.inflate(stored.span, limit: limit)
        } catch {
            throw .damagedTile(path: path, id, error)
        }
    }

    /// Gives the tile's stored bytes to `body` without copying them; nil if there is none.
    public mutating func withTile<R>(
        at id: TileID, _ body: (Span<UInt8>) -> R
    ) throws(ArchiveError) -> R? {
        defer { lookUp.reset() }
        budget.renew()
        do {
            try lookUp.bind(Int64(id.z), at: 1)
            try lookUp.bind(Int64(id.x), at: 2)
            try lookUp.bind(Int64(id.tmsRow), at: 3)
            return try lookUp.step() ? body(lookUp.blob(at: 0)) : nil
        } catch {
            throw ArchiveError(reading: path, error)
        }
    }
}

// It owns its connection alone, and every use that moves it is exclusive.
extension TileLookup: @unchecked Sendable {}
