#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Times the stages of a build and notes the memory that each came to.
struct StageClock {
    private(set) var stages: [BuildReport.Stage] = []
    private let clock = ContinuousClock()

    mutating func time<Result: ~Copyable>(
        _ stage: BuildStage, _ body: () throws -> Result
    ) rethrows -> Result {
        let start = now
        defer { note(stage, since: start) }
        return try body()
    }

    var now: ContinuousClock.Instant { clock.now }

    /// Adds the time since `start` to a stage.
    mutating func note(_ stage: BuildStage, since start: ContinuousClock.Instant) {
        let parts = (clock.now - start).components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
        if let index = stages.firstIndex(where: { $0.stage == stage }) {
            stages[index].seconds += seconds
            stages[index].peakBytes = Self.peakBytes
        } else {
            stages.append(
                BuildReport.Stage(stage: stage, seconds: seconds, peakBytes: Self.peakBytes))
        }
    }

    /// The most memory that the process has used so far.
    private static var peakBytes: Int {
        var usage = rusage()
        #if canImport(Darwin)
            guard unsafe getrusage(RUSAGE_SELF, &usage) == 0 else { return 0 }
            return Int(usage.ru_maxrss)
        #else
            guard unsafe getrusage(__rusage_who_t(0), &usage) == 0 else { return 0 }
            // Linux counts kibibytes.
            return Int(usage.ru_maxrss) * 1_024
        #endif
    }
}
