import CLibrary

/// Threads, as many as are asked for.
///
/// Those of queues come out of pools. A concurrent queue's has as many as there are processors, and where all of these wait, as
/// for a pipeline within a pipeline, another comes after a second; and no pool has more than 255: where all of these wait for
/// work that no thread is left for, nothing goes on.
public enum WorkerThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a thread of its own, which hears of no signals.
    /// - Returns: false where the system gives no more threads; then `body` is not run.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var (heard, own) = (sigset_t(), sigset_t())
        unsafe sigfillset(&own)
        for fault in [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGPIPE] {
            unsafe sigdelset(&own, fault)
        }
        // A thread begins with the signals of the one that makes it.
        unsafe pthread_sigmask(SIG_SETMASK, &own, &heard)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &heard, nil) }
        var thread = pthread_t()
        let work = unsafe Unmanaged.passRetained(Work(body))
        let failure = unsafe pthread_create(
            &thread, nil,
            { work in
                if let work = unsafe work {
                    unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
                }
                return nil
            }, work.toOpaque())
        guard failure == 0 else {
            unsafe work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// The system gives no thread at all.
    public struct NoneLeft: Error, CustomStringConvertible {
        public var description: String {
            "the system gives no more threads: allow more (ulimit -u), or use fewer (--threads 1)"
        }
    }
}
