import Foundation
import Synchronization
import Testing

@testable import ParallelColumns

/// The threads of a pool: how many there are, and that none is lost.
///
/// Each in a process of its own, where no other test takes the system's threads.
struct PoolThreadTests {
    @Test func `a pool takes as many of the system's threads as it asked for, once`() async {
        // Where there is one processor, the system has no thread beside the pool's.
        guard ProcessInfo.processInfo.activeProcessorCount > 1 else { return }
        await #expect(processExitsWith: .success) {
            // This waits on a thread that is none of the system's.
            let isFree = await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let workers = Workers(2, scratch: Arena())
                    let jobs = 4 * ProcessInfo.processInfo.activeProcessorCount
                    for _ in 0..<jobs { workers.forEach(2) { _ in usleep(50) } }
                    let others = DispatchSemaphore(value: 0)
                    DispatchQueue.global().async { others.signal() }
                    let isFree = others.wait(timeout: .now() + 0.5) == .success
                    workers.forEach(2) { _ in }
                    continuation.resume(returning: isFree)
                }
            }
            try #require(isFree)
        }
    }

    /// A worker looks for work for some fifty microseconds before it sleeps: jobs that come just then
    /// must neither leave it asleep for good nor wake it for nothing.
    @Test func `no worker is lost, however jobs come as it goes to sleep`() async {
        await #expect(processExitsWith: .success) {
            let workers = Workers(2, scratch: Arena())
            for job in 0..<6_000 {
                workers.forEach(2) { _ in }
                let start = ContinuousClock.now
                while ContinuousClock.now - start < .microseconds(job * 7 % 120) {}
            }
            // Each waits for the other; one thread alone would wait in vain.
            let inside = Atomic(0)
            let end = ContinuousClock.now + .seconds(3)
            workers.forEach(2) { _ in
                inside.add(1, ordering: .relaxed)
                while inside.load(ordering: .relaxed) < 2, ContinuousClock.now < end {
                    usleep(100)
                }
            }
            try #require(ContinuousClock.now < end)
        }
    }
}
