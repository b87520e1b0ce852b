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
    private var session: WriterSession?
    private var file: OutputFile
    private var order = TileOrder()

    /// Refuses an output that exists, has no directory or cannot be written, before any work.
    public init(to path: String, options: Options = Options()) throws(ArchiveError) {
        let file = try OutputFile(path: path, replacesExisting: options.replacesExisting)
        do {
            session = try WriterSession(path: file.temporaryPath, options: options)
        } catch {
            throw ArchiveError(writing: path, error)
        }
        self.path = path
        self.file = file
    }

    /// How many tiles have been written.
    public var tileCount: Int { order.count }

    /// Adds a tile whose bytes are stored as they are: gzip, for vector tiles.
    public mutating func write(_ tile: TileID, gzip bytes: Span<UInt8>) throws(ArchiveError) {
        order.include(tile, bytes)
        do {
            try session?.write(tile, bytes)
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    /// Adds the index and the metadata, and gives the archive its name.
    public consuming func finish(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        try session?.indexTiles(path: path)
        var metadata = metadata
        do {
            metadata.tilesHash = try session?.tilesHash(in: order)
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
