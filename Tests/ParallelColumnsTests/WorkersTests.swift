import Foundation
import Synchronization
import Testing

@testable import ParallelColumns

/// Who waits here sleeps: the system's pool starts no thread beside as many as spin.
struct WorkersTests {
    /// A job after another, each as soon as the one before is done: a worker that comes late to one must
    /// neither take part in the next by mistake nor miss it for good.
    @Test(arguments: [1, 2, 3, 8])
    func `each piece of each of many jobs is done once`(threads: Int) {
        let workers = Workers(threads, scratch: Arena())
        for job in 0..<3_000 {
            let pieces = job % 7
            let column = SharedColumn<Int>(repeating: 0, count: 7, in: workers.scratch)
            workers.forEach(pieces) { column[$0] += job + 1 }
            let isRight = (0..<7).allSatisfy { column[$0] == ($0 < pieces ? job + 1 : 0) }
            guard isRight else {
                Issue.record("job \(job) of \(pieces) pieces is not done")
                return
            }
            workers.scratch.reset()
        }
    }

    /// Each piece waits until two of them are under way: one thread alone would wait for ever.
    @Test
    func `several threads take part`() {
        let workers = Workers(3, scratch: Arena())
        let inside = Atomic<Int>(0)
        let deadline = ContinuousClock.now + .seconds(60)
        workers.forEach(3) { _ in
            inside.add(1, ordering: .relaxed)
            while inside.load(ordering: .relaxed) < 2, ContinuousClock.now < deadline {
                usleep(100)
            }
        }
        #expect(ContinuousClock.now < deadline)
    }

    @Test
    func `work is cut for several workers, where pieces are large enough`() {
        let one = Workers(1, scratch: Arena())
        #expect(one.cut(100_000) == [0..<100_000])
        let two = Workers(2, scratch: Arena())
        #expect(two.cut(8_192 * 3).count == 3)
        #expect(two.cut(1_000_000).count == 8)
        #expect(two.cut(8_192 * 2 - 1) == [0..<16_383])
        for total in [0, 1, 20_000, 123_457] {
            #expect(two.cut(total).flatMap(\.self) == Array(0..<total))
        }
    }

    @Test
    func `jobs within a job are done`() {
        let workers = Workers(4, scratch: Arena())
        let sum = Atomic<Int>(0)
        workers.forEach(8) { piece in
            workers.forEach(5) { inner in
                sum.add(piece * 5 + inner, ordering: .relaxed)
            }
        }
        #expect(sum.load(ordering: .relaxed) == (0..<40).reduce(0, +))
    }

    /// The caller has nothing left to do when the other thread's piece asks for a job of its own:
    /// it must not be waited for by two, nor its pieces be taken for those of the first.
    @Test
    func `a job within the last piece of another is done`() {
        let ended = DispatchSemaphore(value: 0)
        let counts = Mutex(Array(repeating: 0, count: 4))
        Thread.detachNewThread {
            let workers = Workers(2, scratch: Arena())
            let caller = pthread_self()
            let hasBegun = Atomic<Bool>(false)
            workers.forEach(2) { _ in
                if pthread_self() == caller {
                    while !hasBegun.load(ordering: .relaxed) { usleep(100) }
                } else {
                    hasBegun.store(true, ordering: .relaxed)
                    usleep(50_000)
                    workers.forEach(4) { piece in counts.withLock { $0[piece] += 1 } }
                }
            }
            ended.signal()
        }
        #expect(ended.wait(timeout: .now() + 20) == .success)
        #expect(counts.withLock { $0 } == [1, 1, 1, 1])
    }

    /// The caller's pieces are quick, those of the others end after all others have no work.
    @Test
    func `who is quick waits for those who are slow`() {
        let workers = Workers(3, scratch: Arena())
        let caller = pthread_self()
        for _ in 0..<20 {
            let begun = Atomic<Int>(0)
            let done = Atomic<Int>(0)
            workers.forEach(6) { _ in
                begun.add(1, ordering: .relaxed)
                let deadline = ContinuousClock.now + .seconds(20)
                if pthread_self() == caller {
                    while begun.load(ordering: .relaxed) < 2, ContinuousClock.now < deadline {
                        usleep(100)
                    }
                } else {
                    usleep(3_000)
                }
                done.add(1, ordering: .relaxed)
            }
            #expect(done.load(ordering: .relaxed) == 6)
        }
    }

    @Test
    func `however many jobs there are, no more threads take part than were asked for`() {
        let workers = Workers(2, scratch: Arena())
        let threads = Mutex<Set<UInt>>([])
        for _ in 0..<30 {
            workers.forEach(8) { _ in
                threads.withLock { _ = $0.insert(UInt(bitPattern: pthread_self().hashValue)) }
                usleep(100)
            }
        }
        #expect(threads.withLock { (1...2).contains($0.count) })
    }
}
