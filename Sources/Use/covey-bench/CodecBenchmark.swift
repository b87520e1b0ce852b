import MessageTiles
import VectorTile

/// How fast vector tiles are written and read.
enum CodecBenchmark: Benchmark {
    static let name = "codec"
    static let summary = "vector tiles: encode, decode, validate; protobuf-c beside them"

    private static let tiles = 200
    private static let features = 5_000

    static func run(_ session: inout BenchSession) throws {
        let points = CodecPoints(count: tiles * features)
        let count = Double(points.count)
        var builder = TileBuilder(keys: CodecPoints.keys)

        let encode = session.cpuSeconds {
            for tile in 0..<tiles {
                builder.removeAll()
                points.write(tile * features..<(tile + 1) * features, to: &builder)
            }
        }
        session.figure("encode", count / encode / 1e6, "M features/s", wanted: "≥ 3 M/s")
        let bytes = builder.copyBytes()
        try decode(bytes, &session)
        try packWithProtobufC(bytes, points, &session)
        try tinyTiles(points, &session)
    }

    private static func decode(_ bytes: [UInt8], _ session: inout BenchSession) throws {
        let count = Double(tiles * features)
        var sum = 0
        let inPlace = try session.cpuSeconds {
            for _ in 0..<tiles { sum &+= try readInPlace(bytes.span) }
        }
        session.figure(
            "decode in place", count / inPlace / 1e6, "M features/s", wanted: "≥ 3 M/s")
        let unpack = try session.cpuSeconds(runs: 3) {
            for _ in 0..<tiles / 10 { sum &+= try Tile(bytes.span).layers[0].features.count }
        }
        session.figure(
            "decode with protobuf-c into a Tile", count / 10 / unpack / 1e6, "M features/s")
        let arena = session.cpuSeconds {
            for _ in 0..<tiles / 10 {
                sum &+= IncomingTile(bytes.span, memory: 1 << 30)?.layerCount ?? 0
            }
        }
        session.figure("protobuf-c unpack alone", count / 10 / arena / 1e6, "M features/s")
        var validator = TileValidator()
        let validate = try session.cpuSeconds {
            for _ in 0..<tiles { sum &+= try validator.findings(in: bytes.span).count }
        }
        session.figure("validate", count / validate / 1e6, "M features/s")
        precondition(sum != 0)
    }

    /// Reads id, position, keys and value bytes of every feature.
    private static func readInPlace(_ bytes: Span<UInt8>) throws -> Int {
        var sum = 0
        var tile = try TileReader(bytes)
        while let layer = try tile.nextLayer() {
            var features = layer.features()
            while let feature = try features.next() {
                sum &+= Int(feature.id ?? 0) &+ Int(feature.point?.x ?? 0)
                var tags = feature.tags()
                while let tag = try tags.next() {
                    sum &+= layer.keyBytes(at: tag.key).count
                    sum &+= layer.value(at: tag.value).bytes.count
                }
            }
        }
        return sum
    }

    private static func packWithProtobufC(
        _ bytes: [UInt8], _ points: CodecPoints, _ session: inout BenchSession
    ) throws {
        let message = OutgoingTile(try Tile(bytes.span))
        precondition(message.packed() == bytes, "both paths write the same bytes")
        var builder = TileBuilder(keys: CodecPoints.keys)
        let last = points.count - features..<points.count
        let times = session.pair {
            for _ in 0..<20 { _ = message.packed() }
        } _: {
            for _ in 0..<20 {
                builder.removeAll()
                points.write(last, to: &builder)
            }
        }
        let count = Double(20 * features)
        session.figure(
            "protobuf-c pack of ready messages, no deduplication", count / times.a / 1e6,
            "M features/s")
        session.figure(
            "pack of ready messages against building from values", times.ratio, "× the time")
    }

    private static func tinyTiles(
        _ points: CodecPoints, _ session: inout BenchSession
    ) throws {
        var builder = TileBuilder(keys: CodecPoints.keys)
        let count = 300_000
        var tiles: [[UInt8]] = []
        let encode = session.cpuSeconds {
            for tile in 0..<count {
                builder.removeAll()
                points.write(tile..<tile + 1, to: &builder)
            }
        }
        session.figure("encode one-feature tiles", Double(count) / encode / 1e6, "M tiles/s")
        for tile in 0..<count {
            builder.removeAll()
            points.write(tile..<tile + 1, to: &builder)
            tiles.append(builder.copyBytes())
        }
        var sum = 0
        let decode = try session.cpuSeconds {
            for tile in tiles { sum &+= try readInPlace(tile.span) }
        }
        session.figure("decode one-feature tiles", Double(count) / decode / 1e6, "M tiles/s")
        var validator = TileValidator()
        let validate = try session.cpuSeconds {
            for tile in tiles { sum &+= try validator.findings(in: tile.span).count }
        }
        session.figure(
            "validate one-feature tiles", Double(count) / validate / 1e6, "M tiles/s",
            wanted: "1.3 M in a few seconds")
        precondition(sum != 0)
    }
}
