/// The exit code for the shell.
struct ExitCode: Equatable, Sendable {
    let rawValue: Int32

    static let done = Self(rawValue: 0)
    static let badData = Self(rawValue: 1)
    static let badUsage = Self(rawValue: 2)

    /// As a shell reports a program that a signal ended.
    static func stopped(by signal: Int32) -> Self { Self(rawValue: 128 + signal) }
}
