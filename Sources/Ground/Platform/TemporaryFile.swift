/// A new temporary file, which only this user may read and which is removed with its owner.
///
/// A file without a name disappears even if the program is killed, but only this process can read it.
public struct TemporaryFile: ~Copyable, Sendable {
    public let path: String
    private let isNamed: Bool
    private let file: File
    /// How many bytes were appended.
    public private(set) var count = 0

    /// - Parameter ending: the end of its name, for programs that look at it.
    public init(
        in directory: String, isNamed: Bool = true, ending: String = ""
    ) throws(FileError) {
        var path = Self.newPath(in: directory) + ending
        var file = try Self.locked(path)
        // Another program may have removed it as a leftover before it was locked.
        while isNamed, try !file.isNamed(path) {
            UnfinishedFiles.remove(path)
            path = Self.newPath(in: directory) + ending
            file = try Self.locked(path)
        }
        self.file = file
        self.isNamed = isNamed
        self.path = path
        if !isNamed { UnfinishedFiles.remove(path) }
    }

    /// The prefix of the names of temporary files and folders.
    private static let prefix = "covey-temporary-"

    static func newPath(in directory: String) -> String {
        "\(directory)/\(prefix)\(Process.uniqueName)"
    }

    /// Removes the temporary files and folders that killed programs left in a directory.
    public static func removeLeftovers(in directory: String) {
        Leftovers.remove(named: prefix, in: directory, unless: .lock)
    }

    private static func locked(_ path: String) throws(FileError) -> File {
        let file = try UnfinishedFiles.begin(path) { () throws(FileError) in
            try File(creating: path, permissions: 0o600)
        }
        _ = file.lock(.shared)
        return file
    }

    public mutating func append(_ bytes: Span<UInt8>) throws(FileError) {
        try file.write(bytes)
        count += bytes.count
    }

    /// Writes at an offset, independently of `append`.
    public func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
        try file.write(bytes, at: offset)
    }

    /// Reads at an offset, so that readers don't disturb each other; 0 at the end.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileError) -> Int {
        try unsafe file.read(into: buffer, at: offset)
    }

    deinit { if isNamed { UnfinishedFiles.remove(path) } }
}

extension File {
    /// Whether the path still names this file.
    fileprivate func isNamed(_ path: String) throws(FileError) -> Bool {
        let found = try? FileStatus(of: path, followingLinks: false)
        return try found?.identity == status().identity
    }
}
