import CLibrary

/// What programs left behind that were killed: files and folders whose names end in `Process.uniqueName`.
public enum Leftovers {
    /// How it shows that the maker of something still works on it.
    public enum Sign: Sendable {
        /// The process whose number is in the name runs.
        case process
        /// The maker holds a lock. That is seen between containers and machines, whose numbers of
        /// processes are the same, and after a number was given out again.
        case lock
    }

    /// Removes what this user's programs left in a directory under names that begin with `prefix`.
    /// - Parameter ending: what follows the unique name.
    ///
    /// Nothing here is an error: what can't be removed now is no hindrance, and may go the next time.
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
    /// - Parameter ifUnlocked: only where no program holds a lock on it.
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

/// A lock on an open file or directory. It ends with the descriptor, and so with the process.
enum FileLock {
    case shared, exclusive

    /// Whether it was had, at once. A file system may know no locks.
    func take(on descriptor: Int32) -> Bool {
        flock(descriptor, (self == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0
    }
}

extension File {
    /// Locks it until this goes away: against all others, or against those that want it for themselves.
    /// - Returns: whether no other had a lock that stands against it; where there are no locks, none has.
    public func lock(exclusively: Bool) -> Bool {
        lock(exclusively ? .exclusive : .shared) || errno != EWOULDBLOCK
    }

    func lock(_ lock: FileLock) -> Bool { lock.take(on: descriptor) }
}
