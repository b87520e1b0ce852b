import ArchiveContract
import Geometry
import SQLite

/// Writes one MBTiles archive, which appears under its name when it is finished, or not at all.
///
/// Tiles may come in any order. Dropping the writer unfinished leaves nothing behind.
public struct MBTilesWriter: ~Copyable {
    public struct Options: Sendable {
        /// Whether `finish` may replace an archive of that name.
        public var replacesExisting = false
        /// About how many bytes of tiles will come, if known: small archives get small pages.
        public var expectedBytes: Int?
        /// Asked now and then during the long steps of `finish`; true gives up.
        public var isCancelled: (@Sendable () -> Bool)?

        public init() {}
    }

    private let path: String
    private var options: Options
    /// Made when the first rows come, by when their number is known.
    private var session: WriterSession?
    private var file: OutputFile
    private var written = WrittenTiles()
    private var lastBlock: Int64 = -1
    private var lastCluster: ClusterKey?

    /// Refuses an output that exists, has no directory or cannot be written, before any work.
    public init(to path: String, options: Options = Options()) throws(ArchiveError) {
        let file = try OutputFile(path: path, replacesExisting: options.replacesExisting)
        self.path = path
        self.options = options
        self.file = file
    }

    /// Says about how many bytes will come; it counts until the first rows have come.
    public mutating func expect(bytes: Int) { options.expectedBytes = bytes }

    private mutating func begin() throws(SQLiteError) {
        guard session == nil else { return }
        session = try WriterSession(path: file.temporaryPath, options: options)
    }

    /// How many tiles have been written.
    public var tileCount: Int { written.count }

    /// Adds a tile whose bytes are stored as they are: gzip, for vector tiles.
    public mutating func write(_ tile: TileID, gzip bytes: Span<UInt8>) throws(ArchiveError) {
        written.include(tile, bytes)
        do {
            try begin()
            try session?.write(tile, bytes, inOrder: written.isSorted)
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    /// Adds a block of points in leaf order: a gzip tile, and the corners of its points' hull.
    ///
    /// Blocks come by ascending number.
    public mutating func write(
        leafBlock number: Int64, gzip bytes: Span<UInt8>, hull: [GridPoint]
    ) throws(ArchiveError) {
        guard number > lastBlock else {
            throw .outOfOrder(path: path, table: IndexTable.leafBlocks, row: number)
        }
        lastBlock = number
        do {
            try begin()
            try session?.write(leafBlock: number, bytes, hull: hull)
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    /// Adds a cluster to the index; clusters come by ascending key.
    public mutating func write(_ cluster: ClusterRecord) throws(ArchiveError) {
        if let lastCluster, cluster.key <= lastCluster {
            throw .outOfOrder(
                path: path, table: IndexTable.clusters, row: cluster.key.packed)
        }
        lastCluster = cluster.key
        do {
            try begin()
            try session?.write(cluster)
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    /// Completes the index, adds the metadata, and gives the archive its name.
    public consuming func finish(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        var metadata = metadata
        do {
            try begin()
        } catch {
            throw ArchiveError(writing: path, error)
        }
        try session?.finishTiles(path: path)
        do {
            if let hash = written.finish() {
                metadata.tilesHash = hash
            } else {
                metadata.tilesHash = try session?.tilesHash()
            }
            try session?.write(metadata)
            try session?.commit()
        } catch {
            throw ArchiveError(writing: path, error)
        }
        // Closes the database, so that the file is complete before it is published.
        session = nil
        try file.publish()
    }
}

// It owns its connection alone, and every use is exclusive: one thread at a time by construction.
extension MBTilesWriter: @unchecked Sendable {}
