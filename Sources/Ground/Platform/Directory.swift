import CLibrary

/// A directory and the names in it.
public struct Directory: Sendable {
    public let path: String

    public init(_ path: String) { self.path = path }

    /// The names in it, in no order, without `.` and `..`.
    public func names() throws(FileError) -> [String] {
        try OpenDirectory(path).entries().map(\.name)
    }

    /// The paths that match a pattern with `*`, `?` and brackets, in order. `?` stands for a character of UTF-8.
    public static func paths(matching pattern: String) -> [String] {
        // Without a locale, the C library matches bytes.
        let locale = unsafe newlocale(CInt(LC_CTYPE_MASK), "C.UTF-8", nil)
        let before = unsafe locale.map { unsafe uselocale($0) }
        defer {
            _ = unsafe before.map { unsafe uselocale($0) }
            unsafe locale.map { unsafe freelocale($0) }
        }
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        guard unsafe glob(pattern, 0, nil, &found) == 0 else { return [] }
        return unsafe (0..<Int(found.gl_pathc))
            .compactMap { unsafe found.gl_pathv[$0] }
            .map { unsafe String(cString: $0) }
            .sorted()
    }

    /// The number of bytes that an ordinary user may still write to its file system.
    public func freeBytes() throws(FileError) -> Int {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { throw .last }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    /// Creates it in an existing directory.
    public static func create(_ path: String, permissions: UInt32 = 0o777) throws(FileError) {
        guard unsafe mkdir(path, mode_t(permissions)) == 0 else { throw .last }
    }

    /// Removes an empty directory.
    public static func remove(_ path: String) throws(FileError) {
        guard unsafe rmdir(path) == 0 else { throw .last }
    }

    /// Returns when the names in it are safe on the disk.
    public func synchronize() throws(FileError) {
        try File(descriptor: unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)).synchronize()
    }

    /// The directory of a path and the name in it.
    public static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = path[..<slash]
        let name = path[path.index(after: slash)...]
        return (directory.isEmpty ? "/" : String(directory), String(name))
    }

    /// A path with the links of its directory resolved. The path itself need not exist.
    public static func resolvingDirectory(of path: String) -> String {
        let (directory, name) = split(path)
        return "\((try? File.resolved(directory)) ?? directory)/\(name)"
    }
}
