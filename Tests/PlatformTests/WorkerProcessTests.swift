import CLibrary
import Platform
import Testing

/// A worker and the process that watches over it, which has one thread alone, as it should.
struct WorkerProcessTests {
    /// Does something in a process of one thread, and ends as that says.
    private static func inOneThread(
        _ body: @escaping @Sendable () throws -> UInt8
    ) throws -> Never {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { exit(90) }
        let told = ends[1]
        _ = try WorkerProcess.start {
            var code = (try? body()) ?? 91
            _ = unsafe write(told, &code, 1)
            _exit(0)
        }
        close(ends[1])
        var code: UInt8 = 92
        var end = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        if unsafe poll(&end, 1, 30_000) == 1 { _ = unsafe read(ends[0], &code, 1) }
        exit(Int32(code))
    }

    @Test func `how a worker ends is told, by its code or by its signal`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            try Self.inOneThread {
                let worker = try WorkerProcess.start { _exit(7) }
                guard case .end(.exit(7)) = worker.wait() else { return 1 }
                let other = try WorkerProcess.start { while true { pause() } }
                other.send(SIGKILL)
                guard case .end(.signal(SIGKILL)) = other.wait() else { return 2 }
                return 0
            }
        }
    }

    @Test func `a worker hears what is handed on to it, and is in a group of its own`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            try Self.inOneThread {
                for number in [SIGTERM, SIGINT, SIGHUP] {
                    let worker = try WorkerProcess.start {
                        guard getpgrp() == getpid() else { _exit(8) }
                        signal(number) { _ in _exit(9) }
                        // The other side waits for this before it sends anything.
                        kill(getppid(), SIGHUP)
                        while true { pause() }
                    }
                    guard case .signal(SIGHUP) = worker.wait() else { return 1 }
                    worker.send(number)
                    guard case .end(.exit(9)) = worker.wait() else { return 2 }
                }
                return 0
            }
        }
    }

    /// Swift's runtime takes the first thread of a copy for that of the process which it was copied from.
    @Test func `a worker's work is not done by its first thread`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            try Self.inOneThread {
                let first = pthread_self()
                let worker = try WorkerProcess.start {
                    _exit(pthread_equal(first, pthread_self()) == 0 ? 7 : 8)
                }
                guard case .end(.exit(7)) = worker.wait() else { return 1 }
                return 0
            }
        }
    }

    @Test func `a worker ends with the process that watches over it`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            try Self.inOneThread {
                var ends: [Int32] = [0, 0]
                guard unsafe pipe(&ends) == 0 else { return 1 }
                let middle = try WorkerProcess.start {
                    // What is started here holds the pipe until it ends.
                    let worker = try? WorkerProcess.start {
                        kill(getppid(), SIGHUP)
                        while true { pause() }
                    }
                    _ = worker?.wait()
                    kill(getpid(), SIGKILL)
                    _exit(2)
                }
                guard case .end(.signal(SIGKILL)) = middle.wait() else { return 3 }
                close(ends[1])
                var end = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
                return unsafe poll(&end, 1, 20_000) == 1 ? 0 : 4
            }
        }
    }
}
