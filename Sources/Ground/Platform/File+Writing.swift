import CFileSystems
import CLibrary

extension File {
    /// Writes all the bytes.
    public func write(_ bytes: Span<UInt8>) throws(FileError) {
        var written = 0
        try Self.write(bytes, to: descriptor, written: &written)
    }

    /// Writes all the bytes to an open descriptor, and counts those that were written where not all
    /// can be. It waits for one that does not wait by itself.
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

    /// Writes all the bytes at an offset, wherever the next `write` goes on.
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

    /// Has the system begin to bring a range to the disk, and does not wait for it: `synchronize`
    /// then has less to do. Where the system knows no such thing nothing happens.
    public func beginSynchronizing(_ range: Range<Int>) {
        _ = covey_begin_sync(descriptor, Int64(range.lowerBound), Int64(range.count))
    }

    /// Makes a file of these bytes, which must not be there yet.
    public static func write(_ bytes: Span<UInt8>, toNew path: String) throws(FileError) {
        try File(creating: path).write(bytes)
    }
}

// MARK: - Names

extension File {
    /// Takes a file's name away.
    public static func remove(_ path: String) throws(FileError) {
        guard unsafe unlink(path) == 0 else { throw .last }
    }

    /// Gives a file another name, which it takes from whatever had it.
    public static func rename(_ path: String, to newPath: String) throws(FileError) {
        guard unsafe CLibrary.rename(path, newPath) == 0 else { throw .last }
    }

    /// Gives a file one more name, which nothing may have yet.
    public static func link(_ path: String, as newPath: String) throws(FileError) {
        guard unsafe CLibrary.link(path, newPath) == 0 else { throw .last }
    }

    /// Says who may do what with a file.
    public static func setPermissions(_ permissions: UInt32, of path: String) throws(FileError) {
        guard unsafe chmod(path, mode_t(permissions)) == 0 else { throw .last }
    }

    /// The path without links, `.` and `..`, of something that is there.
    public static func resolved(_ path: String) throws(FileError) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw .last }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
