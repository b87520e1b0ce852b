import Clustering
import Points

/// How fast points become clusters, against the figures asked for.
enum ClusteringBench: Benchmark {
    static let name = "clustering"
    static let summary = "clustering skewed and pathological points; [-- FILE.csv]"

    static func run(_ session: inout BenchSession) throws {
        let points = SkewedPoints.make(1_000_000)
        var options = ClusterOptions(radius: 40, maxZoom: 14)
        if session.arguments.first == "once" {
            options.algorithm = .init(rawValue: session.arguments[1]) ?? .spaced
            _ = try ClusterTree(
                of: points, options: options, threads: Int(session.arguments[2]) ?? 1)
            return
        }
        for algorithm in ClusterOptions.Algorithm.allCases {
            options.algorithm = algorithm
            for threads in [1, 2] {
                let time = try session.seconds(runs: 3) {
                    _ = try ClusterTree(of: points, options: options, threads: threads)
                }
                session.figure("\(algorithm), \(threads) threads", time, "s", wanted: "≤ 0.65 s")
            }
        }
    }
}
