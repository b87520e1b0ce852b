import Compression
import Geometry
import TileArchive

/// How fast tiles are written to an archive, with its index, and read from it.
enum ArchiveBenchmark: Benchmark {
    static let name = "archive"
    static let summary = "write 1.3 million small tiles into MBTiles, read some at random"

    static func run(_ session: inout BenchSession) throws {
        let stock = Stock(side: session.long ? 2_048 : 1_140)
        let folder = try WorkFolder()
        let path = folder.path("tiles.mbtiles")
        let count = Double(stock.tiles.count)
        let keys = stock.tiles.sorted { ($0.x, $0.tmsRow) < ($1.x, $1.tmsRow) }
        let curve = stock.tiles.sorted()
        for (order, tiles) in [("key", keys), ("Hilbert", curve)] {
            var processor: [Double] = []
            let time = try session.seconds(runs: session.long ? 5 : 1) {
                let start = BenchSession.processTime
                try stock.write(tiles, to: path)
                processor.append(BenchSession.processTime - start)
            }
            session.figure("write in \(order) order", count / time / 1e3, "k tiles/s")
            let best = processor.min() ?? .infinity
            session.figure(
                "write in \(order) order, by processor time", count / best / 1e3, "k tiles/s",
                wanted: "≥ 500")
        }
        try read(stock.tiles.shuffled(), of: path, &session)
    }

    private static func read(
        _ tiles: [TileID], of path: String, _ session: inout BenchSession
    ) throws {
        let chosen = tiles.prefix(200_000)
        for (name, megabytes) in [
            ("read at random", 16), ("read at random, 512 MB of cache", 512),
        ] {
            var reader = try Archive(path: path).openTiles(cacheBytes: megabytes << 20)
            var bytes = 0
            let time = try session.cpuSeconds(runs: 3) {
                for tile in chosen { bytes += try reader.withTile(at: tile) { $0.count } ?? 0 }
            }
            precondition(bytes > 0)
            session.figure(name, Double(chosen.count) / time / 1e3, "k tiles/s a core")
        }
    }

    /// A square of tiles, and some gzip tiles that are their contents.
    private struct Stock {
        let tiles: [TileID]
        let contents: [[UInt8]]

        init(side: UInt32) {
            var maker = SampleTileBytes(seed: 2)
            var compressor = GzipCompressor()
            contents = (0..<50_000).map { index in
                let tile = maker.tile(features: 1 + index % 2)
                return compressor.compress(tile.span)
            }
            tiles = (0..<side).flatMap { x in (0..<side).map { TileID(z: 14, x: x, y: $0) } }
        }

        func write(_ order: [TileID], to path: String) throws {
            var options = SinkOptions()
            options.replacesExisting = true
            let writer = try MBTilesWriter(to: path, options: options)
            for (index, tile) in order.enumerated() {
                let bytes = contents[index % contents.count]
                try writer.write(tile, gzip: bytes.span)
            }
            try writer.finish(ArchiveMetadata(name: "bench"))
        }
    }
}
