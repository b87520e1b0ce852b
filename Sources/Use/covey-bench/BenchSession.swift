import CLibrary

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
        try median(of: runs) { try Self.time(CLOCK_MONOTONIC, body) }
    }

    /// The median processor time in seconds of this thread for `runs` calls, after one that is not
    /// counted. Unlike the elapsed time, it does not depend on other work on the machine.
    func cpuSeconds(runs: Int = 5, _ body: () throws -> Void) rethrows -> Double {
        try median(of: runs) { try Self.time(CLOCK_THREAD_CPUTIME_ID, body) }
    }

    /// Times `a` and `b` alternately, so that a machine that slows down affects both; returns medians.
    func pair(
        runs: Int = 5, _ a: () throws -> Void, _ b: () throws -> Void
    ) rethrows -> (a: Double, b: Double, ratio: Double) {
        var rows: [(a: Double, b: Double)] = []
        for round in 0...runs {
            let row = (try Self.time(CLOCK_MONOTONIC, a), try Self.time(CLOCK_MONOTONIC, b))
            if round > 0 { rows.append(row) }
        }
        func median(_ values: [Double]) -> Double { values.sorted()[runs / 2] }
        return (
            median(rows.map(\.a)), median(rows.map(\.b)), median(rows.map { $0.a / $0.b })
        )
    }

    private func median(of runs: Int, _ time: () throws -> Double) rethrows -> Double {
        _ = try time()
        return try (0..<runs).map { _ in try time() }.sorted()[runs / 2]
    }

    private static func time(_ clock: clockid_t, _ body: () throws -> Void) rethrows -> Double {
        let start = now(clock)
        try body()
        return now(clock) - start
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// The processor time in seconds that all threads of this process have used: a busy machine affects it less
    /// than the clock.
    static var processTime: Double { now(CLOCK_PROCESS_CPUTIME_ID) }
}
