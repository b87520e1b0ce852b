import ArchiveContract
import Geometry
import SQLite

/// Writes one MBTiles archive, which appears under its name when it is finished, or not at all.
///
/// Tiles may come in any order. Dropping the writer unfinished leaves nothing behind.
public struct MBTilesWriter: ~Copyable {
    public struct Options: Sendable {
        /// Whether `finish` may replace an existing archive of that name.
        public var replacesExisting = false
        /// Whether the archive states a hash over all tiles.
        public var hashesTiles = true
        /// Called now and then during the long steps of `finish`; true stops the work.
        public var isCancelled: (@Sendable () -> Bool)?

        public init() {}
    }

    private let path: String
    private let options: Options
    /// Created once it is known whether there are few tiles: small archives get small pages, whichever command
    /// writes them.
    private var session: WriterSession?
    private var waiting = WaitingTiles()
    private var file: OutputFile
    private var written: WrittenTiles
    /// From this many bytes on, tiles are not few any more.
    static let manyBytes = 1 << 20

    /// Throws before any work if the output exists, has no directory or cannot be written.
    public init(to path: String, options: Options = Options()) throws(ArchiveError) {
        let file = try OutputFile(path: path, replacesExisting: options.replacesExisting)
        self.path = path
        self.options = options
        self.file = file
        written = WrittenTiles(hashes: options.hashesTiles)
    }

    /// Creates the database, once all tiles have come or more than a few.
    private mutating func begin() throws(SQLiteError) {
        guard session == nil else { return }
        session = try WriterSession(
            path: file.temporaryPath, hasFewTiles: waiting.areFew, options: options)
        for (tile, bytes, inOrder) in waiting.tiles {
            try session?.write(tile, bytes.span, inOrder: inOrder)
        }
        waiting = WaitingTiles()
    }

    /// How many tiles have been written.
    public var tileCount: Int { written.count }

    /// Adds a tile whose bytes are stored unchanged: gzip, for vector tiles.
    public mutating func write(_ tile: TileID, gzip bytes: Span<UInt8>) throws(ArchiveError) {
        written.include(tile, bytes)
        do {
            guard session != nil else {
                waiting.append(tile, bytes, inOrder: written.isSorted)
                if !waiting.areFew { try begin() }
                return
            }
            try session?.write(tile, bytes, inOrder: written.isSorted)
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    /// Adds the next payload for queries about clusters.
    public mutating func write(payload: Span<UInt8>) throws(ArchiveError) {
        do {
            try begin()
            try session?.write(payload: payload)
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    /// Completes the index, adds the metadata, and gives the archive its name.
    /// - Parameters:
    ///   - metadata: the metadata of the archive.
    ///   - show: checks the archive before it gets its name.
    public consuming func finish(
        _ metadata: ArchiveMetadata,
        show: (_ temporaryPath: String) throws(ArchiveError) -> Void = { _ in }
    ) throws(ArchiveError) {
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
            } else if options.hashesTiles {
                metadata.tilesHash = try session?.tilesHash()
            }
            try session?.write(metadata)
            try session?.commit()
        } catch {
            throw ArchiveError(writing: path, error)
        }
        // This closes the database, so that the file is complete before it is published.
        session = nil
        try show(file.temporaryPath)
        try file.publish()
    }
}

/// The first tiles of an archive, as long as they may be all of its tiles.
private struct WaitingTiles {
    private(set) var tiles: [(tile: TileID, bytes: [UInt8], inOrder: Bool)] = []
    private var byteCount = 0

    var areFew: Bool { byteCount < MBTilesWriter.manyBytes }

    mutating func append(_ tile: TileID, _ bytes: Span<UInt8>, inOrder: Bool) {
        byteCount += bytes.count
        let copy = unsafe bytes.withUnsafeBufferPointer { unsafe [UInt8]($0) }
        tiles.append((tile, copy, inOrder))
    }
}

// It is the only owner of its connection, and every use is exclusive: by construction, one thread at a time.
extension MBTilesWriter: @unchecked Sendable {}
