/// A new file of our own, which only this user may read and which goes away with its owner.
///
/// One that has no name goes away even if the program is killed, but only we can read it.
public struct TemporaryFile: ~Copyable, Sendable {
    public let path: String
    private let isNamed: Bool
    private let file: File
    /// How many bytes were appended.
    public private(set) var count = 0

    public init(in directory: String, isNamed: Bool = true) throws(FileError) {
        var path = Self.newPath(in: directory)
        var file = try Self.locked(path)
        // Another program may have taken it for a leftover before it was locked.
        while isNamed, try !file.isNamed(path) {
            UnfinishedFiles.remove(path)
            path = Self.newPath(in: directory)
            file = try Self.locked(path)
        }
        self.file = file
        self.isNamed = isNamed
        self.path = path
        if !isNamed { UnfinishedFiles.remove(path) }
    }

    /// What the names of temporary files and folders begin with.
    private static let prefix = "covey-temporary-"

    static func newPath(in directory: String) -> String {
        "\(directory)/\(prefix)\(Process.uniqueName)"
    }

    /// Removes what programs that were killed left in a directory: temporary files and folders.
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

    /// Writes at an offset, beside what is appended.
    public func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
        try file.write(bytes, at: offset)
    }

    /// Reads at an offset, so that readers don't disturb each other; 0 says that there is no more.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(FileError) -> Int {
        try unsafe file.read(into: buffer, at: offset)
    }

    deinit { if isNamed { UnfinishedFiles.remove(path) } }
}

extension File {
    /// Whether it is still what a path leads to.
    fileprivate func isNamed(_ path: String) throws(FileError) -> Bool {
        let found = try? FileStatus(of: path, followingLinks: false)
        return try found?.identity == status().identity
    }
}
