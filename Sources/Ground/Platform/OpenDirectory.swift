import CLibrary

/// An open directory, whose contents are reached by name. It stays the same directory if its path
/// changes, and no link is followed on the way down, so nothing outside of it is ever reached.
///
///     let folder = try OpenDirectory(path)
///     let file = try folder.directory("3").file(reading: "5.pbf")
public final class OpenDirectory: Sendable {
    private let descriptor: Int32

    /// Opens the directory at a path, which may contain links.
    public convenience init(_ path: String) throws(FileError) {
        try self.init(descriptor: unsafe CLibrary.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    private init(descriptor: Int32) throws(FileError) {
        guard descriptor >= 0 else { throw .last }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens a directory in it.
    public func directory(_ name: String) throws(FileError) -> OpenDirectory {
        try OpenDirectory(descriptor: open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
    }

    /// A descriptor of something in it, or a negative number on failure.
    private func open(_ name: String, _ flags: Int32) -> Int32 {
        unsafe openat(descriptor, name, flags | O_CLOEXEC, mode_t(0o666))
    }

    /// Opens a directory in it, and creates it if it does not exist.
    public func directory(making name: String) throws(FileError) -> OpenDirectory {
        guard unsafe mkdirat(descriptor, name, 0o777) == 0 || errno == EEXIST else { throw .last }
        return try directory(name)
    }

    /// Opens a regular file in it, and rejects everything that could block its reader.
    public func file(reading name: String) throws(FileError) -> File {
        let file = try File(descriptor: open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK))
        let kind = try file.status().kind
        guard kind == .regular else { throw .notAFile(kind) }
        return file
    }

    /// Creates a file in it, whose name must be free.
    public func file(creating name: String) throws(FileError) -> File {
        try File(descriptor: open(name, O_CREAT | O_EXCL | O_WRONLY))
    }

    /// All bytes of a regular file in it; nil if there are more than `limit`.
    public func contents(of name: String, limit: Int) throws(FileError) -> [UInt8]? {
        let file = try file(reading: name)
        guard try file.status().size <= limit else { return nil }
        let bytes = try file.bytes(upTo: limit + 1)
        return bytes.count > limit ? nil : bytes
    }

    func lock(_ lock: FileLock) -> Bool { lock.take(on: descriptor) }

    /// Waits until no other program has it locked, and locks it until this object goes away. A file
    /// system may not support locks.
    public func waitForLock() {
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    func status() throws(FileError) -> FileStatus { try FileStatus(ofDescriptor: descriptor) }

    /// Removes a name in it; `AT_REMOVEDIR` is for an empty directory.
    func removeName(_ name: String, _ flags: Int32) throws(FileError) {
        guard unsafe unlinkat(descriptor, name, flags) == 0 else { throw .last }
    }

    /// Removes a file in it.
    public func remove(_ name: String) throws(FileError) { try removeName(name, 0) }

    /// Removes an empty directory in it.
    public func removeDirectory(_ name: String) throws(FileError) {
        try removeName(name, AT_REMOVEDIR)
    }

    /// Moves a file in it to another directory of the file system, where it replaces a file of the same name.
    public func move(_ name: String, to other: OpenDirectory) throws(FileError) {
        guard unsafe renameat(descriptor, name, other.descriptor, name) == 0 else { throw .last }
    }

    /// Returns when the names in it are safe on the disk.
    public func synchronize() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// The status of something in it; of a link itself, not of its target.
    public func status(of name: String) throws(FileError) -> FileStatus {
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw .last
        }
        return FileStatus(status)
    }

    /// Something in a directory; the kind is nil if the file system does not report it with the name.
    public struct Entry: Sendable {
        public let name: String
        public let kind: FileStatus.Kind?
    }

    /// Its contents, in no order, without `.` and `..`.
    public func entries() throws(FileError) -> [Entry] {
        // A stream owns its descriptor, and duplicated descriptors share a position.
        let own = open(".", O_RDONLY | O_DIRECTORY)
        guard own >= 0 else { throw .last }
        guard let stream = unsafe fdopendir(own) else {
            close(own)
            throw .last
        }
        defer { unsafe closedir(stream) }
        var entries: [Entry] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            entries.append(
                Entry(name: name, kind: unsafe FileStatus.Kind(entryType: entry.pointee.d_type)))
        }
        return entries
    }

    /// The total size of the files in it and in all directories below. Links are not followed.
    public func byteCount() throws(FileError) -> Int {
        var count = 0
        for entry in try entries() {
            switch entry.kind {
            case .directory: count += try directory(entry.name).byteCount()
            case .regular, nil: count += try status(of: entry.name).size
            default: continue
            }
        }
        return count
    }

    /// Removes everything in it. Links are removed, not followed.
    public func removeAll() throws(FileError) {
        for entry in try entries() {
            if entry.kind != .directory, (try? removeName(entry.name, 0)) != nil { continue }
            try directory(entry.name).removeAll()
            try removeName(entry.name, AT_REMOVEDIR)
        }
    }
}

extension FileStatus {
    /// The size of a file, or of all files in a directory.
    public static func byteCount(at path: String) throws(FileError) -> Int {
        let status = try FileStatus(of: path)
        return status.kind == .directory ? try OpenDirectory(path).byteCount() : status.size
    }
}

extension Directory {
    /// Removes a directory with everything in it. Links are removed, not followed.
    public static func removeTree(_ path: String) throws(FileError) {
        try OpenDirectory(path).removeAll()
        try remove(path)
    }
}

extension FileStatus.Kind {
    fileprivate init?(entryType: UInt8) {
        switch Int(entryType) {
        case Int(DT_REG): self = .regular
        case Int(DT_DIR): self = .directory
        case Int(DT_LNK): self = .symbolicLink
        case Int(DT_FIFO): self = .fifo
        case Int(DT_SOCK): self = .socket
        case Int(DT_CHR), Int(DT_BLK): self = .device
        default: return nil
        }
    }
}
