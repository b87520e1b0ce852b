import Geometry

/// How fast points are converted to Hilbert keys, and back to degrees.
enum GeometryBenchmark: Benchmark {
    static let name = "geometry"
    static let summary = "projection and Hilbert keys, a million points"

    static func run(_ session: inout BenchSession) throws {
        let points = (0..<1_000_000).map { index in
            LonLat(
                longitude: Double(index % 3_600) / 10 - 180,
                latitude: Double(index % 1_700) / 10 - 85)
        }
        var checksum: UInt64 = 0
        let time = session.seconds {
            for point in points {
                let point = WorldPoint(point)
                checksum &+= TileID(holding: point, zoom: 26).hilbertID
            }
        }
        session.figure("project and key", 1 / time, "M points/s")
        precondition(checksum != 0)
    }
}
