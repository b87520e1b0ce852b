import CLibrary
import Dispatch

extension Process {
    /// Starts a program that goes its own way: its output and its end are not waited for, and it may
    /// outlive this one. Whether that comes about is not told.
    public static func launch(_ program: String, _ arguments: [String]) {
        let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        defer { close(nowhere) }
        let started = ChildProcess.spawn(program, arguments, output: nowhere, errors: nowhere)
        guard started.code == 0 else { return }
        // A process that has ended stays in the system's table until its parent asks how.
        DispatchQueue.global(qos: .utility).async {
            while waitpid(started.id, nil, 0) < 0, errno == EINTR {}
        }
    }
}
