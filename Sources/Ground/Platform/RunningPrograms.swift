import CLibrary
import Synchronization

/// The programs that this one started and has not yet seen end: they must not outlive it.
///
/// The code that starts one ends it when its work is done or given up. A program that has to end at once
/// can't wait for that: it ends them as one of its last acts.
public enum RunningPrograms {
    private static let ids = Mutex<Set<Int32>>([])

    /// Starts a program; none is started after `endAll`.
    /// - Parameter start: returns its number, or nil if it could not be started.
    public static func begin(_ start: () -> Int32?) {
        ids.withLock { ids in
            if let id = start() { ids.insert(id) }
        }
    }

    /// Waits for a program's end and gives its number back to the system: its status.
    public static func waitForEnd(of id: Int32) -> Int32 {
        var information = unsafe siginfo_t()
        // As long as it has not been asked for its status, no other process gets its number.
        while unsafe waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        _ = ids.withLock { $0.remove(id) }
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// Ends all of them at once, and keeps others from starting until this program has ended, too.
    public static func endAll(andThen end: () -> Never) -> Never {
        ids.withLock { ids in
            for id in ids { kill(id, SIGKILL) }
            end()
        }
    }
}
