import CLibrary

extension Process {
    /// Starts a program that goes its own way: nobody hears what it says or waits for its end, and it may
    /// outlive this one. Whether that comes about is not told.
    public static func launch(_ program: String, _ arguments: [String]) {
        let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        defer { close(nowhere) }
        _ = ChildProcess.spawn(program, arguments, output: nowhere, errors: nowhere)
    }
}
