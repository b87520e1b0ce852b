/// The exit code for the shell.
enum ExitCode: Int32 {
    case done = 0
    case badData = 1
    case badUsage = 2
    case interrupted = 130
}
