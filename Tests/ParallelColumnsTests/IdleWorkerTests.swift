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
            usleep(100_000)
            try #require(seconds() - start < 0.02)
            workers.forEach(8) { _ in usleep(100) }
        }
    }

    #if os(Linux)
        /// On a busy machine who spins gets no time; the system still says that he would run.
        @Test func `no thread of a pool wants to run when there is nothing to do`() async {
            await #expect(processExitsWith: .success) {
                /// How many threads would run, beside the one that asks.
                func running() throws -> Int {
                    let tasks = try FileManager.default.contentsOfDirectory(
                        atPath: "/proc/self/task")
                    return tasks.count { task in
                        // Behind the name, which may hold anything.
                        let status = try? String(
                            contentsOfFile: "/proc/self/task/\(task)/stat", encoding: .utf8)
                        return status?.split(separator: ")").last?.hasPrefix(" R") == true
                    } - 1
                }
                let workers = Workers(4, scratch: Arena())
                for _ in 0..<20 { workers.forEach(8) { _ in usleep(100) } }
                let waits = (0..<200).first { _ in
                    usleep(5_000)
                    return (try? running()) == 0
                }
                try #require(waits != nil)
                for _ in 0..<10 {
                    usleep(2_000)
                    try #require(try running() == 0)
                }
                workers.forEach(8) { _ in usleep(100) }
            }
        }
    #endif
}
