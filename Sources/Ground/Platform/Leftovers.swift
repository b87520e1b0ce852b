import CLibrary

/// Files and folders that killed programs left behind; their names end in `Process.uniqueName`.
public enum Leftovers {
    /// How to recognize that the maker of a file or folder is still using it.
    public enum Sign: Sendable {
        /// The process with the number in the name is running.
        case process
        /// The maker holds a lock. It is visible between containers and machines, which use the
        /// same process numbers, and also after a number was reused.
        case lock
    }

    /// Removes what this user's programs left in a directory under names that begin with `prefix`.
    /// - Parameter ending: the text after the unique name.
    ///
    /// Failures are ignored: what can't be removed now does no harm, and may be removed the next time.
    public static func remove(
        named prefix: String, ending: String = "", in directory: String, unless sign: Sign
    ) {
        let names = (try? Directory(directory).names()) ?? []
        let leftovers = names.filter { name in
            guard name.hasPrefix(prefix), name.dropFirst(prefix.count).hasSuffix(ending),
                let maker = Process.maker(
                    ofUniqueName: name.dropFirst(prefix.count).dropLast(ending.count))
            else { return false }
            return sign == .lock || !Process.isRunning(maker)
        }
        guard !leftovers.isEmpty, let folder = try? OpenDirectory(directory) else { return }
        for name in leftovers { try? folder.remove(name, ifUnlocked: sign == .lock) }
    }
}

extension OpenDirectory {
    /// Removes a file or a folder with all that is in it, if it is this user's own. No link is followed.
    /// - Parameter ifUnlocked: whether to remove it only if no program holds a lock on it.
    fileprivate func remove(_ name: String, ifUnlocked: Bool) throws(FileError) {
        let status = try status(of: name)
        guard status.owner == geteuid() else { return }
        switch status.kind {
        case .directory:
            let folder = try directory(name)
            guard !ifUnlocked || folder.lock(.exclusive) else { return }
            try folder.removeAll()
            try removeName(name, AT_REMOVEDIR)
        case .regular:
            let file = try file(reading: name)
            guard !ifUnlocked || file.lock(.exclusive) else { return }
            try removeName(name, 0)
        default: return
        }
    }
}

/// A lock on an open file or directory. It ends when the descriptor is closed, at the latest with the process.
enum FileLock {
    case shared, exclusive

    /// Takes the lock without waiting; false if that fails. A file system may not support locks.
    func take(on descriptor: Int32) -> Bool {
        flock(descriptor, (self == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0
    }
}

extension File {
    /// Locks the file until it is closed: against all other locks, or only against exclusive ones.
    /// - Returns: false if another program has a conflicting lock; true if the file system does not support locks.
    public func lock(exclusively: Bool) -> Bool {
        lock(exclusively ? .exclusive : .shared) || errno != EWOULDBLOCK
    }

    func lock(_ lock: FileLock) -> Bool { lock.take(on: descriptor) }
}
