import CLibrary
import Platform

/// Lets the server run in a process of its own, and starts it again where a signal ended it: a fault of
/// this program that a damaged archive brings out then costs the answers that were under way, and not
/// the server. The listening socket stays open meanwhile, so clients wait and are not turned away.
struct ServeSupervisor {
    let console: Console

    /// Signals by which the worker is told what has come to this process: the same may have come to it, too,
    /// and must not count twice.
    static let ends: [Int32: Int32] = [SIGTERM: SIGUSR1, SIGINT: SIGUSR2]

    private static let shortLife = Duration.seconds(1)
    private static let longestPause: UInt32 = 2_000_000

    /// Returns in the worker. The process that watches over it never returns: it ends as the worker does.
    func run() {
        var pause: UInt32 = 0
        while true {
            let start = ContinuousClock.now
            guard let worker = try? WorkerProcess.start() else { return }
            let (end, isAsked) = watch(worker)
            switch end {
            case .exit(let code): exit(code)
            case .signal(let number):
                let name = unsafe String(cString: strsignal(number))
                guard !isAsked else { exit(ExitCode.interrupted.rawValue) }
                console.complain(
                    "the server was ended by a signal (\(name)): a fault of covey, or too little "
                        + "memory; it is started again. Please tell us what was asked for")
            }
            // One that cannot even start must not keep the machine busy.
            let isShort = ContinuousClock.now - start < Self.shortLife
            pause = isShort ? min(2 * pause + 100_000, Self.longestPause) : 0
            usleep(pause)
        }
    }

    /// Hands signals on until the worker ends.
    private func watch(_ worker: WorkerProcess) -> (end: WorkerProcess.End, isAsked: Bool) {
        var isAsked = false
        while true {
            switch worker.wait() {
            case .end(let end): return (end, isAsked)
            case .signal(let number):
                worker.send(Self.ends[number] ?? number)
                isAsked = isAsked || Self.ends[number] != nil
            }
        }
    }
}
