/// What the shell is told.
enum ExitCode: Int32 {
    case done = 0
    case badData = 1
    case badUsage = 2
    case interrupted = 130
}
