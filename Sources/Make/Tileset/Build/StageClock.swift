import Platform

/// Times the stages of a build and notes the peak memory of each.
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
            stages[index].peakBytes = PeakMemory.bytes
        } else {
            stages.append(
                BuildReport.Stage(stage: stage, seconds: seconds, peakBytes: PeakMemory.bytes))
        }
    }
}
