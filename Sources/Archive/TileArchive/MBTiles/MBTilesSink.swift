import ArchiveContract
import Geometry

/// Writes the MBTiles archive of a build.
final class MBTilesSink: ArchiveSink {
    let tileOrder = TileOrder.byColumn
    private let path: String
    private var writer: MBTilesWriter?
    private let options: SinkOptions

    init(to path: String, options: SinkOptions) throws(ArchiveError) {
        var own = MBTilesWriter.Options()
        own.replacesExisting = options.replacesExisting
        own.isCancelled = options.isCancelled
        own.hashesTiles = options.hashesTiles
        // An archive that is changed in place may have the journal of a run that was killed.
        if options.replacesExisting, !options.hashesTiles { LeftJournal(of: path)?.clear() }
        writer = try MBTilesWriter(to: path, options: own)
        self.path = path
        self.options = options
    }

    func write(
        _ tiles: [TileID], gzip bytes: Span<UInt8>, ends: [Int]
    ) throws(ArchiveError) {
        var start = 0
        for (tile, end) in zip(tiles, ends) {
            try writer?.write(tile, gzip: bytes.extracting(start..<end))
            start = end
        }
    }

    func write(payload: Span<UInt8>) throws(ArchiveError) {
        try writer?.write(payload: payload)
    }

    func changing(tileBytes: Int) throws(ArchiveError) -> (any ChangingArchive)? {
        // A hash over all tiles would mean reading them all.
        guard options.replacesExisting, !options.hashesTiles,
            let changes = try MBTilesChanges(path, tileBytes: tileBytes)
        else { return nil }
        _ = writer.take()
        return changes
    }

    func finish(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        guard let writer = writer.take() else { preconditionFailure("finished twice") }
        try writer.finish(metadata) { temporaryPath throws(ArchiveError) in
            try options.show(temporaryPath, path: path)
        }
    }
}
