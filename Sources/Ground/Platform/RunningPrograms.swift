import CLibrary
import Synchronization

/// The running programs that this one started: they must not outlive it.
///
/// The code that starts one ends it when its work is done or given up. A program that has to end at
/// once can't wait for that: it ends them in one of its last steps.
public enum RunningPrograms {
    private static let ids = Mutex<Set<Int32>>([])

    /// Starts a program; none is started after `endAll`.
    /// - Parameter start: starts the program and returns its number, or nil on failure.
    public static func begin(_ start: () -> Int32?) {
        ids.withLock { ids in
            if let id = start() { ids.insert(id) }
        }
    }

    /// Waits for a program's end, releases its number and returns its status.
    public static func waitForEnd(of id: Int32) -> Int32 {
        var information = unsafe siginfo_t()
        // Until its status is collected, no other process gets its number.
        while unsafe waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        _ = ids.withLock { $0.remove(id) }
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// Ends all of them at once, and lets no others start until this program has ended.
    public static func endAll(andThen end: () -> Never) -> Never {
        ids.withLock { ids in
            for id in ids { kill(id, SIGKILL) }
            end()
        }
    }
}
