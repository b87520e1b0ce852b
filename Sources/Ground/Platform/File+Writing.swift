import CFileSystems
import CLibrary

extension File {
    /// Writes all the bytes.
    public func write(_ bytes: Span<UInt8>) throws(FileError) {
        var written = 0
        try Self.write(bytes, to: descriptor, written: &written)
    }

    /// Writes all the bytes to an open descriptor, and counts those written if it fails. It also
    /// waits for a nonblocking descriptor.
    static func write(
        _ bytes: Span<UInt8>, to descriptor: Int32, written: inout Int
    ) throws(FileError) {
        while written < bytes.count {
            let count = unsafe bytes.extracting(written...).withUnsafeBytes { rest in
                unsafe CLibrary.write(descriptor, rest.baseAddress, rest.count)
            }
            if count > 0 {
                written += count
                continue
            }
            switch count == 0 ? EIO : errno {
            case EINTR: continue
            case EAGAIN:
                var end = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&end, 1, -1)
            case let code: throw .system(code: code)
            }
        }
    }

    /// Writes all the bytes at an offset, without moving the position of `write`.
    public func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.extracting(written...).withUnsafeBytes { rest in
                unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written))
            }
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                throw count == 0 ? .system(code: EIO) : .last
            }
        }
    }

    /// Starts to write a range to the disk without waiting, so that `synchronize` has less to do.
    /// It does nothing if the system has no such call.
    public func beginSynchronizing(_ range: Range<Int>) {
        _ = covey_begin_sync(descriptor, Int64(range.lowerBound), Int64(range.count))
    }

    /// Creates a file of these bytes, which must not exist yet.
    public static func write(_ bytes: Span<UInt8>, toNew path: String) throws(FileError) {
        try File(creating: path).write(bytes)
    }
}

// MARK: - Names

extension File {
    /// Removes a file's name.
    public static func remove(_ path: String) throws(FileError) {
        guard unsafe unlink(path) == 0 else { throw .last }
    }

    /// Renames a file; a file that already has the new name is replaced.
    public static func rename(_ path: String, to newPath: String) throws(FileError) {
        guard unsafe CLibrary.rename(path, newPath) == 0 else { throw .last }
    }

    /// Adds a name to a file; the name must be free.
    public static func link(_ path: String, as newPath: String) throws(FileError) {
        guard unsafe CLibrary.link(path, newPath) == 0 else { throw .last }
    }

    /// Sets the permissions of a file.
    public static func setPermissions(_ permissions: UInt32, of path: String) throws(FileError) {
        guard unsafe chmod(path, mode_t(permissions)) == 0 else { throw .last }
    }

    /// Gives a file or directory the permissions of another, and its owner and group where this user may.
    /// - Parameter mask: the permissions that it may have at all.
    public static func setAccess(
        as other: FileStatus, of path: String, mask: UInt32 = 0o7777
    ) throws(FileError) {
        // Only root may give a file away; its owner may give it to the groups that the owner is in.
        if unsafe chown(path, other.owner, other.group) != 0 {
            _ = unsafe chown(path, uid_t.max, other.group)
        }
        // Last, because a new owner takes some permissions away.
        try setPermissions(other.permissions & mask, of: path)
    }

    /// The path of an existing file or directory without links, `.` and `..`.
    public static func resolved(_ path: String) throws(FileError) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw .last }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
