import ArchiveContract
import Geometry
import SQLite

/// An MBTiles archive that was found fit for reading; any number of threads may share the value.
///
/// Each thread then opens what it needs: `openTiles` to look tiles up, `scan` to go through them,
/// `openClusters` to ask about clusters. Each of these is a connection of its own.
public struct Archive: Sendable {
    /// How the tiles are kept.
    public enum Layout: String, Sendable {
        case table, tableWithoutRowID, view
    }

    public let path: String
    public let layout: Layout
    public let metadata: ArchiveMetadata
    /// What is odd about the archive without keeping it from being read.
    public let warnings: [ArchiveWarning]
    /// What the archive says of its clusters, or why that cannot be followed; nil if it says nothing.
    public let description: Result<ClusterDescription, DescriptionError>?
    /// Whether the archive has Covey's tables for cluster queries.
    public let hasClusters: Bool
    let mode: Database.Mode

    /// Looks at the file, its schema and its metadata, and refuses what is no MBTiles archive.
    public init(path: String) throws(ArchiveError) {
        let header = try ArchiveHeader(path: path)
        mode = try Self.mode(path, usesWAL: header.usesWAL)
        do {
            var database = try Self.connect(path, mode)
            StepBudget().bind(&database)
            let schema = try ArchiveSchema(of: database, path: path)
            let (metadata, warnings) = try ArchiveMetadata.read(from: database)
            layout = schema.layout
            hasClusters = schema.hasClusters
            self.metadata = metadata
            description = metadata.clusterDescription
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

    /// A connection that looks tiles up; one thread at a time may use it.
    public func openTiles(
        _ options: TileLookup.Options = .init()
    ) throws(ArchiveError) -> TileLookup {
        // Where a log or journal waits, the file alone is not the archive.
        let isWhole = ["-wal", "-journal"].allSatisfy { !ArchiveHeader.hasContent(path + $0) }
        do {
            let database = try Self.connect(
                path, options.trustsFile && isWhole ? .immutable : mode)
            try database.execute("PRAGMA cache_size = -\(max(options.cacheBytes, 0) >> 10)")
            return try TileLookup(database, path: path)
        } catch {
            throw ArchiveError(reading: path, error)
        }
    }

    /// Goes through the tiles of some zooms, by zoom, column and row.
    public func scan(zooms: ClosedRange<Int> = 0...31) throws(ArchiveError) -> TileScan {
        do {
            return try TileScan(Self.connect(path, mode), zooms: zooms, path: path)
        } catch {
            throw ArchiveError(reading: path, error)
        }
    }

    /// A connection that answers questions about clusters; one thread at a time may use it.
    public func openClusters() throws(ArchiveError) -> ClusterIndex {
        let described = try describedClusters()
        return try reading { () throws(SQLiteError) in
            try ClusterIndex(Self.connect(path, mode), ids: described.ids, path: path)
        }
    }

    /// Goes through the rows of the cluster index, by key.
    public func scanClusters() throws(ArchiveError) -> ClusterScan {
        _ = try describedClusters()
        return try reading { () throws(SQLiteError) in
            try ClusterScan(Self.connect(path, mode), path: path)
        }
    }

    /// Goes through the leaf blocks, by number.
    public func scanLeafBlocks() throws(ArchiveError) -> LeafBlockScan {
        _ = try describedClusters()
        return try reading { () throws(SQLiteError) in
            try LeafBlockScan(Self.connect(path, mode), path: path)
        }
    }

    /// What the archive says of the clusters in its tables, if this version can read them.
    private func describedClusters() throws(ArchiveError) -> ClusterDescription {
        guard hasClusters else { throw .noClusters(path: path) }
        guard let description else {
            throw .damagedClusters(
                path: path,
                reason:
                    "the metadata have no row '\(ClusterDescription.rowName)', which describes it")
        }
        let described: ClusterDescription
        do {
            described = try description.get()
        } catch {
            throw .unreadableClusters(path: path, error)
        }
        guard described.leavesPerBlock == LeafBlockLayout.leavesPerBlock else {
            throw .otherLeafBlocks(path: path, leaves: described.leavesPerBlock)
        }
        return described
    }

    /// What is wrong with the database itself, and not with what its tiles hold.
    public func audit() throws(ArchiveError) -> ContainerAudit {
        try reading { () throws(SQLiteError) in
            try ContainerAudit(of: Self.connect(path, mode))
        }
    }

    private func reading<Value: ~Copyable>(
        _ body: () throws(SQLiteError) -> Value
    ) throws(ArchiveError) -> Value {
        do { return try body() } catch { throw ArchiveError(reading: path, error) }
    }

    /// How many tiles and bytes each zoom has, shallowest first.
    /// - Complexity: O(tiles), without reading their bytes.
    public func zoomSummaries() throws(ArchiveError) -> [ZoomSummary] {
        do {
            return try ZoomSummary.all(in: Self.connect(path, mode))
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
