import Foundation
import Testing

@testable import ParallelColumns

/// What workers take that have nothing to do.
struct IdleWorkerTests {
    #if os(Linux)
        /// In a process of its own, whose threads and time are those of the workers alone.
        @Test func `threads are started once, and sleep when there is nothing to do`() async {
            await #expect(processExitsWith: .success) {
                func threads() throws -> Int {
                    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
                }
                func seconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
                let workers = Workers(4, scratch: Arena())
                let before = try threads()
                for _ in 0..<50 { workers.forEach(8) { _ in usleep(100) } }
                // The system's pool may have a thread of its own beside them.
                try #require(try threads() - before <= 6)
                usleep(20_000)
                let start = seconds()
                usleep(200_000)
                try #require(seconds() - start < 0.05)
            }
        }
    #endif
}
