import Foundation
import Pipelines
import Synchronization
import Testing

/// What a pipeline holds at once, and how it ends.
struct PipelineLimitTests {
    struct Failure: Error {}

    @Test(arguments: [1, 3], [1, 2, 5])
    func `no more results wait than are allowed`(threads: Int, inFlight: Int) throws {
        let taken = Mutex(0)
        var consumed = 0
        var most = 0
        try OrderedPipeline(threads: threads, inFlight: inFlight).run(
            next: {
                taken.withLock { taken in
                    defer { taken += 1 }
                    return taken < 200 ? taken : nil
                }
            },
            state: {}, work: { _, job in job },
            consume: { job in
                #expect(job == consumed)
                consumed += 1
                most = max(most, min(200, taken.withLock { $0 }) - consumed)
            })
        // The one that is being consumed has left its slot.
        #expect(consumed == 200 && most <= inFlight)
    }

    @Test(arguments: [-1, 0, 1, 4])
    func `each thread makes one state, and there is a thread at least`(threads: Int) throws {
        let states = Mutex(0)
        let calls = Mutex(0)
        try OrderedPipeline(threads: threads, inFlight: 0).run(
            next: {
                calls.withLock { calls in
                    calls += 1
                    return calls <= 10 ? calls : nil
                }
            },
            state: { states.withLock { $0 += 1 } }, work: { _, job in job }, consume: { _ in })
        #expect(states.withLock { $0 } == max(1, threads))
        // Once there is no more, no worker asks again.
        #expect(calls.withLock { $0 } == 11)
    }

    @Test func `four results a thread may wait where nothing else is said`() throws {
        let taken = Mutex(0)
        var most = 0
        try OrderedPipeline(threads: 2).run(
            next: {
                taken.withLock { taken in
                    taken += 1
                    return taken <= 40 ? taken : nil
                }
            },
            state: {}, work: { _, job in job },
            consume: { job in
                guard job == 1 else { return }
                // The one at hand and eight more; then the workers wait.
                let deadline = ContinuousClock.now + .seconds(20)
                while taken.withLock({ $0 }) < 9, ContinuousClock.now < deadline { usleep(1_000) }
                usleep(20_000)
                most = taken.withLock { $0 }
            })
        #expect(most == 9)
    }

    @Test(arguments: [1, 3])
    func `a heavy job is alone until it is consumed`(threads: Int) throws {
        let taken = Mutex(0)
        let working = Mutex(0)
        var consumed = 0
        try OrderedPipeline(threads: threads, inFlight: 6).run(
            next: {
                taken.withLock { taken in
                    defer { taken += 1 }
                    return taken < 100 ? taken : nil
                }
            },
            // Each seventh takes more than there is, others half of it or one.
            share: { $0 % 7 == 0 ? 9 : $0 % 2 == 0 ? 3 : 0 }, state: {},
            work: { _, job in
                let others = working.withLock { working in
                    defer { working += 1 }
                    return working
                }
                defer { working.withLock { $0 -= 1 } }
                usleep(200)
                #expect(others == 0 || job % 7 > 0)
                return job
            },
            consume: { job in
                #expect(job == consumed)
                consumed += 1
                guard job % 7 == 0 else { return }
                usleep(500)
                #expect(taken.withLock { $0 } == consumed)
            })
        #expect(consumed == 100)
    }

    @Test func `heavy jobs do not keep a run from its end`() {
        for failing in 0..<12 {
            var results: [Int] = []
            #expect(throws: Failure.self) {
                let jobs = Mutex(0)
                try OrderedPipeline(threads: 3, inFlight: 4).run(
                    next: {
                        jobs.withLock { jobs in
                            defer { jobs += 1 }
                            return jobs
                        }
                    },
                    share: { $0 % 3 }, state: {},
                    work: { _, job in
                        if job == failing { throw Failure() }
                        return job
                    },
                    consume: { results.append($0) })
            }
            #expect(results == Array(0..<failing))
        }
    }

    @Test func `a source that fails ends the run behind what came before`() {
        let calls = Mutex(0)
        var results: [Int] = []
        #expect(throws: Failure.self) {
            try OrderedPipeline(threads: 3).run(
                next: { () throws -> Int? in
                    let call = calls.withLock { calls in
                        calls += 1
                        return calls
                    }
                    if call == 6 { throw Failure() }
                    return call
                },
                state: {}, work: { _, job in job }, consume: { results.append($0) })
        }
        #expect(results == [1, 2, 3, 4, 5])
    }

    @Test func `a pipeline without jobs ends`() throws {
        try OrderedPipeline(threads: 2).run(
            next: { () -> Int? in nil }, state: {}, work: { _, job in job },
            consume: { _ in Issue.record("there was no job") })
    }

    @Test func `one value is made ahead and no more`() {
        let made = Mutex(0)
        let values = ReadAhead { index -> Int? in
            made.withLock { $0 += 1 }
            return index < 5 ? index : nil
        }
        for expected in 0..<5 {
            #expect(made.withLock { $0 } <= expected + 1)
            #expect(values.next() == expected)
        }
        #expect(values.next() == nil && values.next() == nil)
        #expect(made.withLock { $0 } == 6)
    }
}
