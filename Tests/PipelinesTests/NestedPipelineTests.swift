import Pipelines
import Testing

/// Pipelines whose work is a pipeline of its own.
struct NestedPipelineTests {
    /// Counts how deep they go.
    private static func sum(depth: Int) throws -> Int {
        guard depth > 0 else { return 1 }
        let jobs = ReadAhead { $0 < 1 ? $0 : nil }
        var sum = 0
        try OrderedPipeline(threads: 2).run(
            next: { jobs.next() }, state: {},
            work: { _, _ in try Self.sum(depth: depth - 1) + 1 }, consume: { sum += $0 })
        return sum
    }

    @Test func `those within begin at once, however many threads wait for them`() throws {
        let clock = ContinuousClock()
        var sum = 0
        // Where threads are shared, a new one comes once a second.
        let time = try clock.measure { sum = try Self.sum(depth: 24) }
        #expect(sum == 25 && time < .seconds(5))
    }
}
