import ArchiveContract
import Geometry
import Platform
import SQLite

/// An MBTiles archive (MBTiles 1.3): an SQLite database, with Covey's own tables beside the tiles.
public struct MBTiles: ArchiveContainer {
    public static let name = "MBTiles"
    public static let endings = ["mbtiles"]

    public static func mayStart(with bytes: [UInt8]) -> Bool {
        bytes.starts(with: DatabaseHeader.magic)
    }

    public static func sink(
        to path: String, options: SinkOptions
    ) throws(ArchiveError) -> any ArchiveSink {
        try MBTilesWriter(to: path, options: options)
    }

    let path: String
    private let mode: Database.Mode
    /// Whether a log beside it may belong to it.
    private let usesWAL: Bool
    private let fileBytes: Int
    /// The file, if it is held.
    private var held: FileSource?
    private let schema: ArchiveSchema
    /// The description of the clusters, which decides the tables that they are in.
    private let described: ClusterDescription?
    public let metadata: ArchiveMetadata
    public let warnings: [ArchiveWarning]

    public var layout: ArchiveLayout { schema.layout }
    public var hasClusters: Bool { schema.hasClusters(format: described?.format) }
    public var clustersFault: ArchiveError? {
        guard described?.blocks != nil, !hasClusters else { return nil }
        return .damagedClusters(
            path: path, reason: "its tables of clusters are missing: only tiles were copied")
    }
    public var wantsGzip: Bool? { true }
    public var byteCount: Int? { fileBytes }
    var budget: WorkBudget { WorkBudget(fileBytes: fileBytes) }

    /// Checks the file, its schema and its metadata, and throws if it is not an MBTiles archive.
    public init(path: String) throws(ArchiveError) {
        let header = try Self.header(of: path)
        mode = try Self.mode(path, header)
        usesWAL = header.usesWAL
        fileBytes = header.size
        do {
            let database = try Self.connect(path, mode, fileBytes)
            schema = try ArchiveSchema(of: database, path: path)
            let (metadata, warnings) = try ArchiveMetadata.read(from: database)
            self.metadata = metadata
            described = try? metadata.clusterDescription?.get()
            self.warnings = schema.warnings(format: described?.format) + warnings
        } catch let error as ArchiveError {
            throw error
        } catch let error as SQLiteError {
            throw ArchiveError(reading: path, error)
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
        self.path = path
    }

    public var holdsFiles: Bool { held != nil }

    public func holdingFiles() throws(ArchiveError) -> MBTiles {
        guard !usesWAL else { return self }
        var archive = self
        let file = try FileSource(path: path)
        // Connections come first: where very many archives are open, files are opened by name when they are needed.
        if file.file.number < Process.openFileLimit / 4 { archive.held = file }
        return archive
    }

    // MARK: Reading

    public func tileFinder(cacheBytes: Int) throws(ArchiveError) -> any TileFinder {
        try reading { database throws(SQLiteError) in
            try database.execute("PRAGMA cache_size = -\(max(cacheBytes, 0) >> 10)")
            return try MBTilesTileFinder(database, path: path)
        }
    }

    public func tileWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any TileWalk {
        try reading(walking: true) { database throws(SQLiteError) in
            try MBTilesTileWalk(database, zooms: zooms, budget, path: path)
        }
    }

    public func tileNumberWalk(
        zooms: ClosedRange<Int>
    ) throws(ArchiveError) -> any TileWalk {
        try reading(walking: true) { database throws(SQLiteError) in
            try MBTilesTileWalk(database, zooms: zooms, columns: "", budget, path: path)
        }
    }

    public func clusterPayloads() throws(ArchiveError) -> (any ClusterPayloadSource)? {
        guard let described, described.format > 3 else { return nil }
        return try reading { database throws(SQLiteError) in
            try MBTilesPayloads(
                database, hasNumbers: schema.hasNumbers, fileBytes: fileBytes, path: path)
        }
    }

    public func clusters() throws(ArchiveError) -> any ClusterSource {
        guard let described, let payloads = try clusterPayloads() else {
            return MBTilesClusterTables(archive: self, described: described)
        }
        return PayloadClusters(source: payloads, description: described)
    }

    public func zooms() throws(ArchiveError) -> ClosedRange<Int>? {
        try reading(walking: true) { database throws(SQLiteError) in
            // A view may generate rows without end.
            var rows = try database.prepare(
                "SELECT zoom_level FROM tiles LIMIT \(budget.tilesLeft)")
            var found: ClosedRange<Int>?
            while try rows.step() {
                let zoom = Int(rows.integer(at: 0))
                if zoom >= 0, zoom <= TileID.deepestZoom { found = (zoom...zoom).hull(found) }
            }
            return found
        }
    }

    public func audit() throws(ArchiveError) -> ContainerAudit {
        var audit = try reading(walking: true) { database throws(SQLiteError) in
            try ContainerAudit(of: database, mostRows: budget.tilesLeft)
        }
        if hasClusters, let payloads = try clusterPayloads(), let blocks = described?.blocks {
            audit.damage += payloads.damage(of: blocks)
        }
        return audit
    }

    public func strayRows() throws(ArchiveError) -> Int {
        try reading(walking: true) { database throws(SQLiteError) in
            try ContainerAudit.strayCount(in: database, mostRows: budget.tilesLeft)
        }
    }

    // MARK: Connections

    /// How long a statement may take for a row: the time that a slow machine takes to read the file, and little
    /// more. A small file that needs longer was made to do harm.
    /// - Parameter isWalk: whether the whole archive is walked over, which may have to be sorted first; a look-up
    ///   takes no longer than to read some million rows without an index.
    private static func secondsWithoutRow(walking isWalk: Bool, byteCount: Int) -> Double {
        isWalk ? 2 + Double(byteCount) / 4e6 : min(1.5 + Double(byteCount) / 40e6, 4)
    }

    func reading<Value>(
        walking isWalk: Bool = false, _ body: (consuming Database) throws(SQLiteError) -> Value
    ) throws(ArchiveError) -> Value {
        try Self.checkCompanions(of: path)
        do {
            return try body(Self.connect(path, mode, held: held, walking: isWalk, fileBytes))
        } catch {
            throw ArchiveError(reading: path, error)
        }
    }

    /// Checks the files that SQLite opens beside the archive: it would wait forever at a fifo.
    private static func checkCompanions(of path: String) throws(ArchiveError) {
        for suffix in ["-journal", "-wal", "-shm"] {
            guard let status = try? FileStatus(of: path + suffix), !status.isRegular else {
                continue
            }
            throw .unreadable(
                path: path, reason: "its \(suffix) file is \(status.kind.noun); remove it")
        }
    }

    private static func connect(
        _ path: String, _ mode: Database.Mode, held: FileSource? = nil,
        walking isWalk: Bool = false, _ byteCount: Int
    ) throws(SQLiteError) -> Database {
        var limits = ForeignLimits()
        limits.secondsWithoutRow = secondsWithoutRow(walking: isWalk, byteCount: byteCount)
        limits.valueBytes = Int32(TileLookup.largestStored)
        let database = try Database(
            foreign: path, mode: mode, held: held?.file.number, limits: limits)
        // Another program may be writing; this gives it time to finish.
        database.setBusyTimeout(milliseconds: 2_000)
        return database
    }

    private static func header(of path: String) throws(ArchiveError) -> DatabaseHeader {
        let header: DatabaseHeader?
        do { header = try DatabaseHeader(path: path) } catch {
            throw .unreadable(path: path, reason: error.description)
        }
        guard let header else { throw .notADatabase(path: path) }
        if let expected = header.cutFrom {
            throw .truncated(path: path, bytes: header.size, expected: expected)
        }
        return header
    }

    private static func mode(
        _ path: String, _ header: DatabaseHeader
    ) throws(ArchiveError) -> Database.Mode {
        try checkCompanions(of: path)
        do {
            _ = try connect(path, .readOnly, header.size).integer(
                "SELECT count(*) FROM sqlite_schema")
            return .readOnly
        } catch {
            if error.fault.kind == .readOnly, LeftJournal(of: path)?.clear() ?? false {
                return .readOnly
            }
            // A WAL archive in a read-only place: it is complete if no log is beside it.
            guard header.usesWAL, error.fault.kind == .cannotOpen || error.fault.kind == .readOnly,
                !DatabaseHeader.hasContent(path + "-wal")
            else { throw ArchiveError(reading: path, error) }
            return .immutable
        }
    }
}
