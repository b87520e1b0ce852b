import ArchiveContract
import Geometry

/// A build's way into an MBTiles archive.
final class MBTilesSink: ArchiveSink {
    let tileOrder = TileOrder.byColumn
    private let path: String
    private var writer: MBTilesWriter?

    init(to path: String, options: SinkOptions) throws(ArchiveError) {
        var own = MBTilesWriter.Options()
        own.replacesExisting = options.replacesExisting
        own.isCancelled = options.isCancelled
        writer = try MBTilesWriter(to: path, options: own)
        self.path = path
    }

    func expect(bytes: Int) { writer?.expect(bytes: bytes) }

    func write(
        _ tiles: [TileID], gzip bytes: Span<UInt8>, ends: [Int]
    ) throws(ArchiveError) {
        var start = 0
        for (tile, end) in zip(tiles, ends) {
            try writer?.write(tile, gzip: bytes.extracting(start..<end))
            start = end
        }
    }

    func write(
        leafBlock number: Int64, gzip bytes: Span<UInt8>, hull: [GridPoint]
    ) throws(ArchiveError) {
        try writer?.write(leafBlock: number, gzip: bytes, hull: hull)
    }

    func write(_ clusters: [ClusterRecord]) throws(ArchiveError) {
        for cluster in clusters { try writer?.write(cluster) }
    }

    func finish(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        guard let writer = writer.take() else { preconditionFailure("finished twice") }
        try writer.finish(metadata)
    }
}
