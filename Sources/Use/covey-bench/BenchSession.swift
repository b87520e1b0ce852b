/// The settings of a benchmark run, and its results.
struct BenchSession {
    /// Words after the benchmark's name: sizes, files, peers.
    var arguments: [String]
    /// Whether to measure larger sizes too, which take minutes.
    var long: Bool
    /// Called with each figure as it is measured.
    var report: (Figure) -> Void

    /// The benchmark that is running.
    var current = ""

    func figure(_ name: String, _ value: Double, _ unit: String, wanted: String? = nil) {
        report(Figure(benchmark: current, name: name, value: value, unit: unit, wanted: wanted))
    }

    /// The median time in seconds of `runs` calls, after one that is not counted.
    func seconds(runs: Int = 5, _ body: () throws -> Void) rethrows -> Double {
        try body()
        let clock = ContinuousClock()
        var times: [Double] = []
        for _ in 0..<runs {
            let start = clock.now
            try body()
            times.append((clock.now - start) / .seconds(1))
        }
        return times.sorted()[runs / 2]
    }

    /// Times `a` and `b` alternately, so that a machine that slows down affects both; returns medians.
    func pair(
        runs: Int = 5, _ a: () throws -> Void, _ b: () throws -> Void
    ) rethrows -> (a: Double, b: Double, ratio: Double) {
        let clock = ContinuousClock()
        var rows: [(a: Double, b: Double)] = []
        for round in 0...runs {
            let start = clock.now
            try a()
            let middle = clock.now
            try b()
            let end = clock.now
            guard round > 0 else { continue }
            rows.append(((middle - start) / .seconds(1), (end - middle) / .seconds(1)))
        }
        func median(_ values: [Double]) -> Double { values.sorted()[runs / 2] }
        return (
            median(rows.map(\.a)), median(rows.map(\.b)), median(rows.map { $0.a / $0.b })
        )
    }
}
