import CLibrary
import Dispatch

/// Threads that are independent of thread pools.
///
/// Dispatch queues take their threads from pools. A concurrent queue has as many as there are processors; if
/// all of these wait, as in a pipeline within a pipeline, one is added after a second; and no pool has more
/// than 255: if all of these wait for work that has no thread left, nothing progresses.
public enum WorkerThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on its own thread, which receives no signals.
    /// - Returns: false if the system provides no more threads; then `body` is not run.
    public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var (heard, own) = (sigset_t(), sigset_t())
        unsafe sigfillset(&own)
        for fault in [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGPIPE] {
            unsafe sigdelset(&own, fault)
        }
        // A new thread inherits the signal mask of the thread that creates it.
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

    /// Throws if the system does not provide a few threads.
    public static func requireSome() throws(NoneLeft) {
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // All are there at the same time: a thread that has ended would make room for the next.
        let isGiven = (0..<4).map { _ in
            start {
                begun.signal()
                mayEnd.wait()
            }
        }
        for given in isGiven where given { begun.wait() }
        for given in isGiven where given { mayEnd.signal() }
        if isGiven.contains(false) { throw NoneLeft() }
    }

    /// The system provides no thread at all.
    public struct NoneLeft: Error, CustomStringConvertible {
        public var description: String {
            "the system gives no more threads: allow more (ulimit -u), or use fewer (--threads 1)"
        }
    }
}
