import CLibrary

extension File {
    /// `F_OFD_SETLK` of Linux: a lock that belongs to the open file and not to the process.
    private static let setLockOfFile: Int32 = 37

    private static func lock(_ kind: Int32, _ bytes: Range<Int>) -> flock {
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(bytes.lowerBound)
        lock.l_len = off_t(bytes.count)
        return lock
    }

    /// Whether other programs have locks on some of these bytes; false if the file system does not know.
    public func hasLocks(in bytes: Range<Int>) -> Bool {
        var lock = Self.lock(F_WRLCK, bytes)
        return unsafe fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    /// Locks bytes until `unlock`, or until the file is closed.
    /// - Parameter exclusively: against all other locks, or only against exclusive ones.
    /// - Returns: false if others have a conflicting lock, or if the file system has no locks.
    public func lock(_ bytes: Range<Int>, exclusively: Bool) -> Bool {
        var lock = Self.lock(exclusively ? F_WRLCK : F_RDLCK, bytes)
        return unsafe fcntl(descriptor, Self.setLockOfFile, &lock) == 0
    }

    public func unlock(_ bytes: Range<Int>) {
        var lock = Self.lock(F_UNLCK, bytes)
        _ = unsafe fcntl(descriptor, Self.setLockOfFile, &lock)
    }
}
