import CLibrary

/// An open file, pipe or device; it is closed when its owner goes away.
///
///     let file = try File(readingRegular: path)
///     let bytes = try file.bytes(upTo: 1 << 20)
public struct File: ~Copyable, Sendable {
    let descriptor: Int32

    init(descriptor: Int32) throws(FileError) {
        guard descriptor >= 0 else { throw .last }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens a path for reading. It does not wait for a fifo's writer: `read` and
    /// `waitUntilReadable` do.
    public init(reading path: String) throws(FileError) {
        try self.init(descriptor: unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    }

    /// Opens a regular file for reading, and rejects everything that could block its reader.
    public init(readingRegular path: String) throws(FileError) {
        let file = try File(reading: path)
        let kind = try file.status().kind
        guard kind == .regular else { throw .notAFile(kind) }
        self = file
    }

    /// Creates a file that must not exist yet, for writing and reading.
    public init(creating path: String, permissions: UInt32 = 0o666) throws(FileError) {
        try self.init(
            descriptor: unsafe open(
                path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode_t(permissions)))
    }

    /// Opens an existing file for writing and reading.
    public init(writing path: String) throws(FileError) {
        try self.init(descriptor: unsafe open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK))
    }

    private init(duplicating descriptor: Int32) throws(FileError) {
        try self.init(descriptor: fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
    }

    /// The process's standard input, which stays open.
    public static func standardInput() throws(FileError) -> File {
        try File(duplicating: STDIN_FILENO)
    }

    /// Its number in this process, for libraries that take one; it stays open as long as this value.
    public var number: Int32 { descriptor }

    /// Another value for the same open file.
    public func duplicate() throws(FileError) -> File { try File(duplicating: descriptor) }

    public func status() throws(FileError) -> FileStatus {
        try FileStatus(ofDescriptor: descriptor)
    }

    /// A duplicate of the descriptor, which the caller closes.
    public func duplicatedDescriptor() throws(FileError) -> Int32 {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .last }
        return copy
    }

    /// Returns when all that was written is safe on the disk.
    public func synchronize() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }
}
