import Foundation
import Testing

@testable import ParallelColumns

/// What workers take that have nothing to do.
struct IdleWorkerTests {
    /// In a process of its own, whose time is that of the workers alone.
    @Test func `workers sleep when there is nothing to do`() async {
        await #expect(processExitsWith: .success) {
            func seconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
            let workers = Workers(4, scratch: Arena())
            for _ in 0..<20 { workers.forEach(8) { _ in usleep(100) } }
            usleep(20_000)
            let start = seconds()
            usleep(250_000)
            try #require(seconds() - start < 0.02)
            workers.forEach(8) { _ in usleep(100) }
        }
    }
}
