import Pipelines
import Synchronization
import TestSupport
import Testing

struct OrderedPipelineTests {
    struct Failure: Error, Equatable { var job: Int }

    /// Work that takes an uneven time, so that workers overtake each other.
    static func square(_ number: Int) -> Int {
        var random = SeededRandom(seed: UInt64(number))
        var waste: UInt64 = 0
        for _ in 0..<(random.next() % 2_000) { waste &+= random.next() }
        return waste == 1 ? 0 : number * number
    }

    @Test(arguments: [1, 2, 3, 8], [1, 2, 16])
    func `results come in the order of the jobs`(threads: Int, inFlight: Int) throws {
        let counter = Mutex(0)
        var results: [Int] = []
        try OrderedPipeline(threads: threads, inFlight: inFlight).run(
            next: {
                counter.withLock { counter in
                    defer { counter += 1 }
                    return counter < 500 ? counter : nil
                }
            },
            state: { 0 },
            work: { calls, job in
                calls += 1
                return Self.square(job)
            },
            consume: { results.append($0) })
        #expect(results == (0..<500).map { $0 * $0 })
    }

    @Test(arguments: [0, 1, 77, 499])
    func `the first error ends the run`(bad: Int) {
        let counter = Mutex(0)
        var results: [Int] = []
        #expect(throws: Failure(job: bad)) {
            try OrderedPipeline(threads: 4).run(
                next: {
                    counter.withLock { counter in
                        defer { counter += 1 }
                        return counter < 500 ? counter : nil
                    }
                },
                state: {},
                work: { _, job in
                    if job >= bad { throw Failure(job: job) }
                    return Self.square(job)
                },
                consume: { results.append($0) })
        }
        #expect(results.count == bad)
    }

    /// Behind the last job a source may have nothing left to be asked.
    @Test(arguments: [1, 4])
    func `no worker asks again once there are no more jobs`(threads: Int) throws {
        let asked = Mutex(0)
        var results = 0
        try OrderedPipeline(threads: threads, inFlight: 8).run(
            next: {
                asked.withLock { asked in
                    asked += 1
                    return asked <= 20 ? asked : nil
                }
            },
            state: {}, work: { _, job in Self.square(job) }, consume: { _ in results += 1 })
        #expect(results == 20 && asked.withLock { $0 } == 21)
    }

    @Test func `a consumer that throws stops the workers`() {
        let counter = Mutex(0)
        #expect(throws: Failure(job: -1)) {
            try OrderedPipeline(threads: 3, inFlight: 4).run(
                next: {
                    counter.withLock { counter in
                        counter += 1; return counter
                    }
                },
                state: {}, work: { _, job in job },
                consume: { if $0 == 20 { throw Failure(job: -1) } })
        }
        #expect(counter.withLock { $0 } < 40)
    }
}

struct ReadAheadTests {
    @Test func `values come in order and end for good`() {
        let values = ReadAhead { $0 < 100 ? $0 : nil }
        for expected in 0..<100 { #expect(values.next() == expected) }
        #expect(values.next() == nil)
        #expect(values.next() == nil)
    }
}
