import Foundation
import Pipelines
import Synchronization
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

    @Test(.timeLimit(.minutes(1)))
    func `more may wait for those within than a queue has threads`() throws {
        let count = 300
        let jobs = Atomic(0)
        let arrived = Atomic(0)
        var sum = 0
        try OrderedPipeline(threads: count).run(
            next: {
                let job = jobs.add(1, ordering: .relaxed).oldValue
                return job < count ? job : nil
            }, state: {},
            work: { _, job in
                // All wait at one time.
                arrived.add(1, ordering: .relaxed)
                while arrived.load(ordering: .relaxed) < count { usleep(1_000) }
                return try Self.sum(depth: 1) + job
            }, consume: { sum += $0 })
        #expect(sum == 2 * count + count * (count - 1) / 2)
    }
}
