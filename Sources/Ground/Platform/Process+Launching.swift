import CLibrary
import Dispatch

extension Process {
    /// Starts an independent program: its output and its end are ignored, and it may outlive this
    /// one. A failure to start is not reported.
    public static func launch(_ program: String, _ arguments: [String]) {
        let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        defer { close(nowhere) }
        let started = ChildProcess.spawn(program, arguments, output: nowhere, errors: nowhere)
        guard started.code == 0 else { return }
        // A process that has ended stays in the system's table until its parent asks for its status.
        DispatchQueue.global(qos: .utility).async {
            while waitpid(started.id, nil, 0) < 0, errno == EINTR {}
        }
    }
}
