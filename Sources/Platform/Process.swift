import CLibrary

/// What the program knows of its own process and of others.
public enum Process {
    /// The number of this process.
    public static var id: Int32 { getpid() }

    /// Whether a process of that number runs, whoever it belongs to.
    public static func isRunning(_ id: Int32) -> Bool {
        id > 0 && (kill(id, 0) == 0 || errno != ESRCH)
    }

    /// A variable of the environment.
    public static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
