import Clustering
import Points

/// How fast points become clusters, against the figures asked for.
enum ClusteringBench: Benchmark {
    static let name = "clustering"
    static let summary = "clustering a million skewed points, or those of a file; [-- FILE.csv]"

    static func run(_ session: inout BenchSession) throws {
        let file = session.arguments.first
        let points = try file.map(SkewedPoints.read) ?? SkewedPoints.make(1_000_000)
        var options = ClusterOptions(radius: 40, maxZoom: 14)
        options.aggregates = [try Aggregate(parsing: "sum=sum:value")]
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
