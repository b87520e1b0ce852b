import Compression

/// Gzip of small and large tiles, compared with zlib level 6.
enum CompressionBenchmark: Benchmark {
    static let name = "gzip"
    static let summary = "gzip of small and large tiles against zlib level 6, and back"

    static func run(_ session: inout BenchSession) throws {
        var maker = SampleTileBytes(seed: 1)
        let small = (0..<20_000).map { maker.tile(features: mixture[$0 % mixture.count]) }
        let medium = (0..<2_000).map { maker.tile(features: 4 + $0 % 20) }
        let large = (0..<400).map { maker.tile(features: 150 + $0 % 800) }
        try measure(small, "small", levels: [6, 12], &session)
        try measure(medium, "medium", levels: [6, 12], &session)
        try measure(large, "large", levels: [1, 5, 6, 7, 9], &session)
    }

    /// The numbers of features in small tiles of a deep tileset: most have one, and one in a
    /// hundred is near 4 KB.
    private static let mixture =
        [Int](repeating: 1, count: 80) + [
            2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 8, 10, 15, 25,
        ]

    private static func measure(
        _ tiles: [[UInt8]], _ size: String, levels: [Int], _ session: inout BenchSession
    ) throws {
        let count = Double(tiles.count)
        let bytes = Double(tiles.reduce(0) { $0 + $1.count })
        session.figure("\(size): bytes a tile", bytes / count, "B")
        var theirs = ZlibGzip(level: 6)
        let theirBytes = tiles.reduce(0) { $0 + theirs.compress($1) }
        session.figure("\(size): zlib 6, bytes a tile", Double(theirBytes) / count, "B")
        for level in levels {
            var ours = GzipCompressor(level: level)
            var packed: [UInt8] = []
            let times = session.pair {
                packed.removeAll(keepingCapacity: true)
                for tile in tiles { ours.compress(tile.span, appendingTo: &packed) }
            } _: {
                for tile in tiles { _ = theirs.compress(tile) }
            }
            let name = "\(size), level \(level)"
            session.figure("\(name): time a tile", times.a / count * 1e6, "µs")
            let isUsual = level == GzipCompressor.usualLevel
            let wanted = size == "large" ? ("≥ 2", "1") : ("≥ 4", "≤ 1.2")
            session.figure(
                "\(name): speed against zlib 6", 1 / times.ratio, "×",
                wanted: isUsual ? wanted.0 : nil)
            session.figure(
                "\(name): size against zlib 6", Double(packed.count) / Double(theirBytes), "×",
                wanted: isUsual ? wanted.1 : nil)
        }
    }
}
