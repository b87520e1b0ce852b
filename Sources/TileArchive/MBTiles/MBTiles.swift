import Geometry
import SQLite

/// An MBTiles archive (MBTiles 1.3): an SQLite database, with Covey's own tables beside the tiles.
public struct MBTiles: ArchiveContainer {
    public static let name = "MBTiles"
    public static let endings = ["mbtiles"]

    public static func mayStart(with bytes: [UInt8]) -> Bool {
        bytes.starts(with: ArchiveHeader.magic)
    }

    public static func sink(
        to path: String, options: SinkOptions
    ) throws(ArchiveError) -> any ArchiveSink {
        try MBTilesSink(to: path, options: options)
    }

    private let path: String
    private let mode: Database.Mode
    private let schema: ArchiveSchema
    public let metadata: ArchiveMetadata
    public let warnings: [ArchiveWarning]

    public var layout: ArchiveLayout { schema.layout }
    public var hasClusters: Bool { schema.hasClusters }

    /// Looks at the file, its schema and its metadata, and refuses what is no MBTiles archive.
    public init(path: String) throws(ArchiveError) {
        let header = try ArchiveHeader(path: path)
        mode = try Self.mode(path, usesWAL: header.usesWAL)
        do {
            var database = try Self.connect(path, mode)
            StepBudget().bind(&database)
            schema = try ArchiveSchema(of: database, path: path)
            let (metadata, warnings) = try ArchiveMetadata.read(from: database)
            self.metadata = metadata
            self.warnings = schema.warnings + warnings
        } catch let error as ArchiveError {
            throw error
        } catch let error as SQLiteError {
            throw ArchiveError(reading: path, error)
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
        self.path = path
    }

    // MARK: Reading

    public func tileFinder(cacheBytes: Int) throws(ArchiveError) -> any TileFinder {
        try reading { database throws(SQLiteError) in
            try database.execute("PRAGMA cache_size = -\(max(cacheBytes, 0) >> 10)")
            return try MBTilesTileFinder(database, path: path)
        }
    }

    public func tileWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any TileWalk {
        try reading { database throws(SQLiteError) in
            try MBTilesTileWalk(database, zooms: zooms, path: path)
        }
    }

    public func clusterFinder() throws(ArchiveError) -> any ClusterFinder {
        try reading { database throws(SQLiteError) in
            try MBTilesClusterFinder(database, path: path)
        }
    }

    public func clusterWalk() throws(ArchiveError) -> any ClusterWalk {
        try reading { database throws(SQLiteError) in
            try MBTilesClusterWalk(database, path: path)
        }
    }

    public func leafBlockWalk() throws(ArchiveError) -> any LeafBlockWalk {
        try reading { database throws(SQLiteError) in
            try MBTilesLeafBlockWalk(database, path: path)
        }
    }

    public func zoomSummaries() throws(ArchiveError) -> [ZoomSummary] {
        try reading { database throws(SQLiteError) in try ZoomSummary.all(in: database) }
    }

    public func audit() throws(ArchiveError) -> ContainerAudit {
        try reading { database throws(SQLiteError) in try ContainerAudit(of: database) }
    }

    // MARK: Connections

    private func reading<Value>(
        _ body: (consuming Database) throws(SQLiteError) -> Value
    ) throws(ArchiveError) -> Value {
        do {
            return try body(Self.connect(path, mode))
        } catch {
            throw ArchiveError(reading: path, error)
        }
    }

    /// No tile, leaf block or metadata row comes near; a damaged file may claim anything.
    private static let largestValue: Int32 = 128 << 20

    static func connect(
        _ path: String, _ mode: Database.Mode
    ) throws(SQLiteError) -> Database {
        let database = try Database(path: path, mode: mode)
        // Another program may be writing; it gets so long to finish.
        database.setBusyTimeout(milliseconds: 2_000)
        database.limitValues(toBytes: largestValue)
        try database.execute("PRAGMA cell_size_check = ON")
        return database
    }

    private static func mode(
        _ path: String, usesWAL: Bool
    ) throws(ArchiveError) -> Database.Mode {
        do {
            _ = try connect(path, .readOnly).integer("SELECT count(*) FROM sqlite_schema")
            return .readOnly
        } catch {
            // A WAL archive in a read-only place: whole as it is, if no log waits beside it.
            guard usesWAL, error.fault.kind == .cannotOpen || error.fault.kind == .readOnly,
                !ArchiveHeader.hasContent(path + "-wal")
            else { throw ArchiveError(reading: path, error) }
            return .immutable
        }
    }
}
