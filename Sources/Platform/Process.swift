import CLibrary

/// What the program knows of its own process and of others.
public enum Process {
    /// The number of this process.
    public static var id: Int32 { getpid() }

    /// Part of a name that nobody else has: this process's number, by which others see whether its owner
    /// still runs, and a number drawn at random.
    public static var uniqueName: String {
        "\(id)-" + String(UInt64.random(in: 0...(.max)), radix: 36)
    }

    /// Whether a process of that number runs, whoever it belongs to.
    public static func isRunning(_ id: Int32) -> Bool {
        id > 0 && (kill(id, 0) == 0 || errno != ESRCH)
    }

    /// A variable of the environment.
    public static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
