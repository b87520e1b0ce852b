import ArchiveContract
import Basics
import Geometry
import SQLite

/// Writes one MBTiles archive, whose tiles may come in any order.
public final class MBTilesWriter: ArchiveSink {
    public let tileOrder = TileOrder.byColumn
    private let path: String
    private let options: SinkOptions
    /// Created once it is known whether there are few tiles: small archives get small pages, whichever command
    /// writes them.
    private var session: WriterSession?
    private var waiting = WaitingTiles()
    /// Nil once the archive is finished, or changed in place instead.
    private var file: OutputFile?
    private var written: WrittenTiles
    /// From this many bytes on, tiles are not few any more.
    static let manyBytes = 1 << 20

    /// Throws before any work if the output exists, has no directory or cannot be written.
    public init(
        to path: String, options: SinkOptions = SinkOptions()
    ) throws(ArchiveError) {
        // An archive that is changed in place may have the journal of a run that was killed.
        if options.replacesExisting, options.mayChange { LeftJournal(of: path)?.clear() }
        file = try OutputFile(path: path, replacesExisting: options.replacesExisting)
        self.path = path
        self.options = options
        written = WrittenTiles(hashes: !options.mayChange)
    }

    /// Creates the database, once all tiles have come or more than a few.
    private func begin() throws(SQLiteError) {
        guard session == nil, let temporaryPath = file?.temporaryPath else { return }
        session = try WriterSession(
            path: temporaryPath, hasFewTiles: waiting.areFew, mayChange: options.mayChange,
            isCancelled: options.isCancelled)
        for (tile, bytes, inOrder) in waiting.tiles {
            try session?.write(tile, bytes.span, inOrder: inOrder)
        }
        waiting = WaitingTiles()
    }

    public func write(_ tile: TileID, gzip bytes: Span<UInt8>) throws(ArchiveError) {
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

    public func write(payload: Span<UInt8>, sum: String) throws(ArchiveError) {
        do {
            try begin()
            try session?.write(payload: payload)
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    public func changing(tileBytes: Int) throws(ArchiveError) -> (any ChangingArchive)? {
        // A hash over all tiles would mean reading them all.
        guard options.replacesExisting, options.mayChange,
            let changes = try MBTilesChanges(
                path, tileBytes: tileBytes, isCancelled: options.isCancelled)
        else { return nil }
        file = nil
        return changes
    }

    public func finish(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        try metadata.checkLength()
        var metadata = metadata
        do {
            try begin()
        } catch {
            throw ArchiveError(writing: path, error)
        }
        guard var file = file.take() else { preconditionFailure("finished twice") }
        try session?.finishTiles(path: path)
        do {
            if let hash = written.finish() {
                metadata.tilesHash = hash
            } else if !options.mayChange {
                metadata.tilesHash = try session?.tilesHash()
            }
            try session?.write(metadata)
            try session?.commit()
        } catch {
            throw ArchiveError(writing: path, error)
        }
        // This closes the database, so that the file is complete before it is published.
        session = nil
        try options.show(file.temporaryPath, path: path)
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
        tiles.append((tile, bytes.copied, inOrder))
    }
}
