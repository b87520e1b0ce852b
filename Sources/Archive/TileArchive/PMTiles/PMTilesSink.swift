import ArchiveContract
import Geometry
import JSON
import Compression

/// Writes the PMTiles archive of a build, and the file of its clusters beside it.
final class PMTilesSink: ArchiveSink {
    let tileOrder = TileOrder.alongHilbertCurve
    private let path: String
    private let options: SinkOptions
    private var isCancelled: Bool { options.isCancelled?() ?? false }
    private var tiles: PMTilesWriter
    private var clusters: ClusterFileWriter
    /// The compression of the tiles, which is the same for all of them.
    private var compression: PMTilesHeader.Compression?

    init(to path: String, options: SinkOptions) throws(ArchiveError) {
        self.path = path
        self.options = options
        tiles = try PMTilesWriter(
            path: path, replacesExisting: options.replacesExisting,
            sharesContents: options.sharesContents)
        clusters = try ClusterFileWriter(
            beside: path, replacesExisting: options.replacesExisting)
    }

    func write(_ run: TileRun, gzip bytes: Span<UInt8>) throws(ArchiveError) {
        try write(run.first, gzip: bytes)
        if !bytes.isEmpty { tiles.lengthenLastRun(by: run.count - 1) }
    }

    func write(_ tile: TileID, gzip bytes: Span<UInt8>) throws(ArchiveError) {
        // The format has no tiles without bytes: a reader treats them as missing.
        guard !bytes.isEmpty else { return }
        let id = tile.hilbertID
        guard id >= tiles.nextID else {
            guard id + 1 < tiles.nextID else { throw .duplicateTile(path: path, tile) }
            throw .outOfOrder(path: path, table: "tiles", row: Int64(id))
        }
        let own = GzipInflater.isGzip(bytes) ? PMTilesHeader.Compression.gzip : .none
        guard own == compression ?? own else {
            throw .cannotWrite(
                path: path,
                reason: "tile \(tile) is not compressed as those before it, and PMTiles has one "
                    + "compression for all; compress them alike")
        }
        compression = own
        try tiles.write(bytes, id: id, zoom: tile.z)
    }

    func write(payload: Span<UInt8>, sum: String) throws(ArchiveError) {
        try clusters.write(payload)
    }

    func finish(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        if isCancelled { throw .cancelled(path: path) }
        try metadata.checkLength()
        try clusters.finish(metadata)
        try tiles.finish(metadata: Array(metadata.pmtilesJSON.text().utf8)) { header in
            header.tileCompression = compression ?? .gzip
            header.describe(metadata)
        }
        try publish()
    }

    /// Gives both files their names.
    private func publish() throws(ArchiveError) {
        if isCancelled { throw .cancelled(path: path) }
        try options.show(tiles.output.temporaryPath, path: path)
        // The clusters come first: an archive without them would be incomplete, while they mean nothing alone.
        try tiles.output.checkStillAllowed()
        try clusters.publish()
        do {
            try tiles.output.appear()
        } catch {
            clusters.withdraw()
            throw error
        }
        clusters.removeLeftover()
    }
}

extension PMTilesSink: LaidArchive {
    func write(_ bytes: Span<UInt8>, at offset: Int, ofFile file: Int) throws(ArchiveError) {
        if isCancelled { throw .cancelled(path: path) }
        if file == 0 {
            try tiles.lay(bytes, at: offset)
        } else {
            try clusters.lay(bytes, at: offset)
        }
    }

    func finish() throws(ArchiveError) {
        if isCancelled { throw .cancelled(path: path) }
        try tiles.output.synchronize()
        try clusters.synchronize()
        try publish()
    }
}
