import ArchiveContract
import Geometry

/// A build's way into an MBTiles archive.
final class MBTilesSink: ArchiveSink {
    let tileOrder = TileOrder.byColumn
    let wantsBlockIndex = false
    private let path: String
    private var writer: MBTilesWriter?
    private let options: SinkOptions

    init(to path: String, options: SinkOptions) throws(ArchiveError) {
        var own = MBTilesWriter.Options()
        own.replacesExisting = options.replacesExisting
        own.isCancelled = options.isCancelled
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

    func write(_ block: EncodedBlock) throws(ArchiveError) {
        try writer?.write(
            leafBlock: block.number, gzip: block.leaves.span, hull: block.hull)
        for cluster in block.clusters { try writer?.write(cluster) }
    }

    func write(_ page: EncodedPage) throws(ArchiveError) { try writer?.write(page) }

    func finish(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        guard let writer = writer.take() else { preconditionFailure("finished twice") }
        try writer.finish(metadata) { temporaryPath throws(ArchiveError) in
            try options.show(temporaryPath, path: path)
        }
    }
}
