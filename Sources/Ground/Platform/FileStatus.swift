import CLibrary

/// The system's information about a file. A different value means that it was replaced or changed.
public struct FileStatus: Equatable, Sendable {
    /// What identifies a file, whatever its names are.
    public struct Identity: Hashable, Sendable {
        /// The file system of the file.
        public let device: UInt64
        public let inode: UInt64
    }

    public enum Kind: Sendable {
        case regular, directory, symbolicLink, fifo, socket, device

        /// The word for it in messages.
        public var noun: String {
            switch self {
            case .regular: "a file"
            case .directory: "a directory"
            case .symbolicLink: "a symbolic link"
            case .fifo: "a fifo"
            case .socket: "a socket"
            case .device: "a device"
            }
        }
    }

    public let kind: Kind
    public let identity: Identity
    /// The size in bytes; of regular files only.
    public let size: Int
    /// The permissions: the lowest twelve bits of its mode.
    public let permissions: UInt32
    /// The user who owns it, and the group.
    let owner: UInt32
    let group: UInt32
    /// When its contents were last changed.
    public let changedSeconds: Int
    public let changedNanoseconds: Int

    /// Reads the status of a path: of a link's target, or of the link itself.
    public init(of path: String, followingLinks: Bool = true) throws(FileError) {
        var status = stat()
        let code = unsafe followingLinks ? stat(path, &status) : lstat(path, &status)
        guard code == 0 else { throw .last }
        self.init(status)
    }

    init(ofDescriptor descriptor: Int32) throws(FileError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
        self.init(status)
    }

    init(_ status: stat) {
        kind = Kind(mode: status.st_mode)
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
        size = Int(status.st_size)
        permissions = UInt32(status.st_mode) & 0o7777
        owner = UInt32(status.st_uid)
        group = UInt32(status.st_gid)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        changedSeconds = time.tv_sec
        changedNanoseconds = time.tv_nsec
    }

    /// When the file at a path was last changed in any way, which no program can set. It is not part of the status,
    /// which must not change when names are added or removed.
    public static func changeTime(of path: String) -> (seconds: Int, nanoseconds: Int)? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_ctimespec
        #else
            let time = status.st_ctim
        #endif
        return (time.tv_sec, time.tv_nsec)
    }

    /// The number of names of the file at a path. It is not part of the status, which must not
    /// change when names are added or removed.
    public static func nameCount(of path: String) -> Int? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return Int(status.st_nlink)
    }

    public var isRegular: Bool { kind == .regular }
}

extension FileStatus.Kind {
    fileprivate init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .directory
        case S_IFLNK: self = .symbolicLink
        case S_IFIFO: self = .fifo
        case S_IFSOCK: self = .socket
        default: self = .device
        }
    }
}
