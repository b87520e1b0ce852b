import CForks
import CLibrary

/// A fork of this process that does the work, so that this process can repeat it if the fork ends badly.
///
/// Start it before any threads. It has its own process group: a terminal's Ctrl-C reaches only this
/// process, which forwards it. The worker is signalled when this process ends.
public struct WorkerProcess {
    private let id: pid_t

    /// The signals to wait for while a worker runs.
    private static let signals = [SIGTERM, SIGINT, SIGHUP, SIGCHLD]

    /// How a worker ended.
    public enum End: Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    /// An event while a worker runs.
    public enum Event: Sendable {
        case signal(Int32)
        case end(End)
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Never

        init(_ body: @escaping @Sendable () -> Never) { self.body = body }
    }

    /// Starts a worker that does `body`, on a thread of its own.
    public static func start(
        _ body: @escaping @Sendable () -> Never
    ) throws(FileError) -> WorkerProcess {
        // Without a handler some systems drop the signal while it is blocked.
        signal(SIGCHLD) { _ in }
        block(SIG_BLOCK)
        let parent = getpid()
        let work = Work {
            begin(after: parent)
            body()
        }
        let id = withExtendedLifetime(work) {
            unsafe covey_fork(
                { unsafe Unmanaged<Work>.fromOpaque($0!).takeUnretainedValue().body() },
                Unmanaged.passUnretained(work).toOpaque())
        }
        guard id >= 0 else {
            let failure = FileError.last
            // What goes on without a worker hears signals itself.
            block(SIG_UNBLOCK)
            throw failure
        }
        return WorkerProcess(id: id)
    }

    /// What a worker does first.
    private static func begin(after parent: pid_t) {
        setpgid(0, 0)
        signal(SIGCHLD, SIG_DFL)
        covey_signal_at_end_of_parent(SIGTERM)
        block(SIG_UNBLOCK)
        // The parent may have ended before that took effect.
        if getppid() != parent { kill(getpid(), SIGTERM) }
    }

    private static func block(_ how: Int32) {
        var set = set
        unsafe pthread_sigmask(how, &set, nil)
    }

    private static var set: sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in signals { unsafe sigaddset(&set, number) }
        return set
    }

    /// Waits for a signal, or for the worker's end.
    public func wait() -> Event {
        var set = Self.set
        while true {
            var number: Int32 = 0
            guard unsafe sigwait(&set, &number) == 0 else { continue }
            guard number == SIGCHLD else { return .signal(number) }
            var status: Int32 = 0
            guard unsafe waitpid(id, &status, WNOHANG) == id else { continue }
            let signal = status & 0x7F
            return .end(signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal))
        }
    }

    public func send(_ signal: Int32) { kill(id, signal) }
}
