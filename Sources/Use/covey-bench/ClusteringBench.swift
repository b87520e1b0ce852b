import Clustering
import PointInput
import Points

/// How fast points are clustered and how much memory that takes, compared with the targets.
enum ClusteringBench: Benchmark {
    static let name = "clustering"
    static let summary =
        "clustering a million skewed points, or those of a file; [-- FILE.csv], "
        + "beside Supercluster if \(ClusteringPeer.variable) names its folder"

    static func run(_ session: inout BenchSession) throws {
        let file = session.arguments.first
        let points =
            try file.map { try PointTable.read([.file($0)]).table }
            ?? SkewedPoints.make(1_000_000)
        // This comes first, while there is little freed memory.
        try memory(points, session)
        let spaced = try algorithms(points, session)
        try threads(points, session)
        try ClusteringPeer.run(points, session)
        try ClusteringExtremes.run(session, spaced: spaced)
        guard session.long else { return }
        try scale(session)
        try ClusteringQuality.run(points, session)
    }

    /// The options for which there are targets.
    static func options(_ algorithm: ClusterOptions.Algorithm) throws -> ClusterOptions {
        var options = ClusterOptions(radius: 40, maxZoom: 14)
        options.algorithm = algorithm
        options.aggregates = [try Aggregate(parsing: "sum=sum:value")]
        return options
    }

    static func cluster(
        _ points: PointTable, _ algorithm: ClusterOptions.Algorithm = .spaced, threads: Int = 1
    ) throws {
        _ = try ClusterTree(of: points, options: options(algorithm), threads: threads)
    }

    /// Returns the seconds that `spaced` takes.
    private static func algorithms(_ points: PointTable, _ session: BenchSession) throws -> Double {
        var times: [ClusterOptions.Algorithm: Double] = [:]
        for algorithm in ClusterOptions.Algorithm.allCases {
            let time = try session.cpuSeconds { try cluster(points, algorithm) }
            times[algorithm] = time
            session.figure("\(algorithm), CPU of 1 thread", time, "s")
        }
        let (spaced, greedy) = (times[.spaced] ?? 0, times[.greedy] ?? 1)
        session.figure("spaced ÷ greedy", spaced / greedy, "×", wanted: "≤ 2×")
        return spaced
    }

    /// Elapsed time shows the speed of two threads only on an idle machine, so the calling thread's
    /// own share of the work is reported too.
    private static func threads(_ points: PointTable, _ session: BenchSession) throws {
        let pair = try session.pair(
            runs: 3, { try cluster(points, threads: 1) }, { try cluster(points, threads: 2) })
        session.figure("2 threads against 1, elapsed", pair.ratio, "×", wanted: "≥ 1.6×")
        let one = try session.cpuSeconds(runs: 3) { try cluster(points, threads: 1) }
        let two = try session.cpuSeconds(runs: 3) { try cluster(points, threads: 2) }
        session.figure(
            "2 threads against 1, CPU of the calling thread", one / two, "×", wanted: "≥ 1.6×")
    }

    private static func memory(_ points: PointTable, _ session: BenchSession) throws {
        var plain = try options(.spaced)
        plain.aggregates = []
        for threads in [1, 2] {
            let growth = try MemoryPeak.growth {
                _ = try ClusterTree(of: points, options: plain, threads: threads)
            }
            guard let growth else { return }
            // The input's columns of positions count; its attributes do not.
            let bytes = Double(growth) / Double(points.count) + 16
            session.figure(
                "memory at the peak, threads: \(threads)", bytes, "bytes a point",
                wanted: "≤ 120")
        }
    }

    private static func scale(_ session: BenchSession) throws {
        let small = SkewedPoints.make(1_000_000)
        let large = SkewedPoints.make(10_000_000)
        let one = try session.cpuSeconds(runs: 3) { try cluster(small) }
        // The first run waits for memory from the system.
        let ten = try session.cpuSeconds(runs: 3) { try cluster(large) }
        session.figure("10 M against 1 M points", ten / one, "×", wanted: "≤ 11×")
    }
}
