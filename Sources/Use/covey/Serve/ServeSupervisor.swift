import CLibrary
import Platform

/// Runs the server in a process of its own, and starts it again if a signal ended it: so a fault
/// that a damaged archive triggers costs the answers in progress, but not the server. The listening
/// socket stays open meanwhile, so clients wait instead of being refused.
struct ServeSupervisor {
    let console: Console

    /// Signals that pass on to the worker the ones this process got: the worker may have got the
    /// same, which must not count twice.
    static let ends: [Int32: Int32] = [SIGTERM: SIGUSR1, SIGINT: SIGUSR2]

    private static let shortLife = Duration.seconds(1)
    private static let longestPause: UInt32 = 2_000_000

    /// Does the work in a worker, and ends like it.
    func run(_ work: @escaping @Sendable () -> Never) -> Never {
        var pause: UInt32 = 0
        while true {
            let start = ContinuousClock.now
            guard let worker = try? WorkerProcess.start(work) else { work() }
            let (end, asked) = watch(worker)
            switch end {
            case .exit(let code): exit(code)
            case .signal(let number):
                let name = unsafe String(cString: strsignal(number))
                if let asked { exit(ExitCode.stopped(by: asked).rawValue) }
                console.complain(
                    "the server was ended by a signal (\(name)): a fault of covey, or too little "
                        + "memory; it is started again. Please tell us what was asked for")
            }
            // A server that fails at its start must not be restarted in a tight loop.
            let isShort = ContinuousClock.now - start < Self.shortLife
            pause = isShort ? min(2 * pause + 100_000, Self.longestPause) : 0
            usleep(pause)
        }
    }

    /// Passes signals on until the worker ends.
    /// - Returns: its end, and the signal that asked for it, if one did.
    private func watch(_ worker: WorkerProcess) -> (end: WorkerProcess.End, asked: Int32?) {
        var asked: Int32?
        while true {
            switch worker.wait() {
            case .end(let end): return (end, asked)
            case .signal(let number):
                worker.send(Self.ends[number] ?? number)
                if Self.ends[number] != nil { asked = asked ?? number }
            }
        }
    }
}
