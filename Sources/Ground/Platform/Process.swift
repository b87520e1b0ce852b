import CLibrary

/// Information about this process and others.
public enum Process {
    /// The number of this process.
    public static var id: Int32 { getpid() }

    /// A unique part of a name: this process's number, by which others see whether the maker still
    /// runs, and a random number of `randomDigits` digits.
    public static var uniqueName: String {
        let number = String(UInt64.random(in: 0...(.max)), radix: 36)
        return "\(id)-" + String(repeating: "0", count: randomDigits - number.count) + number
    }

    private static let randomDigits = String(UInt64.max, radix: 36).count

    /// The number of the process that made this unique name; nil if it is not one.
    static func maker(ofUniqueName name: Substring) -> Int32? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let maker = Int32(parts[0]), maker > 0,
            parts[1].utf8.count == randomDigits, UInt64(parts[1], radix: 36) != nil
        else { return nil }
        return maker
    }

    /// Whether a process with this number runs, under any user.
    public static func isRunning(_ id: Int32) -> Bool {
        id > 0 && (kill(id, 0) == 0 || errno != ESRCH)
    }

    /// How many files this process may have open.
    public static var openFileLimit: Int { Int(sysconf(Int32(_SC_OPEN_MAX))) }

    /// The value of an environment variable.
    public static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// The folder that the environment names for temporary files.
    public static var temporaryDirectory: String {
        variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }
}
