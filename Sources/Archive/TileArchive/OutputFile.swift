import Platform

/// A file that appears whole under its name, or not at all.
///
/// It is written under another name in the same directory; unless it is published, it is removed.
struct OutputFile: ~Copyable {
    private let name: OutputName
    private let replacesExisting: Bool
    private var isPublished = false

    /// Throws at once if `publish` would fail after all the work.
    init(path: String, replacesExisting: Bool) throws(ArchiveError) {
        let name = try OutputName(path, plain: path, noun: "file")
        let replaced = try Self.check(name, replacesExisting: replacesExisting)
        // Only those read the new file who may read the old one, from the start. Its group comes at the end.
        let permissions = (replaced.map { $0.permissions & ~0o070 } ?? 0o666) | 0o600
        try name.begin { (path) throws(FileError) in
            _ = try File(creating: path, permissions: permissions)
        }
        self.name = name
        self.replacesExisting = replacesExisting
    }

    /// The requested name.
    var path: String { name.path }
    var temporaryPath: String { name.temporaryPath }

    deinit {
        if !isPublished { UnfinishedFiles.remove(temporaryPath) }
    }

    /// Makes the file durable and gives it its name.
    mutating func publish() throws(ArchiveError) {
        try synchronize()
        try appear()
    }

    /// Makes the file durable, still under its other name.
    func synchronize() throws(ArchiveError) {
        try checkStillAllowed()
        do {
            try File(writing: temporaryPath).synchronize()
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    /// Throws if something has appeared under the name in the meantime.
    func checkStillAllowed() throws(ArchiveError) {
        try Self.check(name, replacesExisting: replacesExisting)
    }

    /// Gives the file its name; it must be durable already.
    mutating func appear() throws(ArchiveError) {
        let replaced = try Self.check(name, replacesExisting: replacesExisting)
        do {
            if let replaced { try File.setAccess(as: replaced, of: temporaryPath) }
            try UnfinishedFiles.publish(temporaryPath) { () throws(FileError) in try rename() }
        } catch {
            if error.isTaken { throw .exists(path: path) }
            throw ArchiveError(writing: path, error)
        }
        isPublished = true
        do {
            try name.synchronizeDirectory()
        } catch {
            throw .cannotWrite(path: path, reason: "\(error)")
        }
    }

    /// Removes the file that has just appeared under a name that was free, because the work failed.
    mutating func withdraw() {
        guard isPublished, !replacesExisting else { return }
        try? File.remove(name.target)
    }

    private func rename() throws(FileError) {
        // A link, unlike a rename, does not replace a file that has appeared since the check. Not every file
        // system has links; without them, the check must be enough.
        guard !replacesExisting else { return try File.rename(temporaryPath, to: name.target) }
        do {
            try File.link(temporaryPath, as: name.target)
        } catch {
            if error.isTaken { throw error }
            return try File.rename(temporaryPath, to: name.target)
        }
        try File.remove(temporaryPath)
    }

    /// The file that would be replaced, if there is one and replacing is allowed.
    @discardableResult
    private static func check(
        _ name: OutputName, replacesExisting: Bool
    ) throws(ArchiveError) -> FileStatus? {
        try name.checkDirectory()
        let (path, target) = (name.path, name.target)
        let found = try? FileStatus(of: target, followingLinks: false)
        if let found {
            guard found.isRegular else {
                throw .cannotWrite(path: path, reason: "it is \(found.kind.noun)")
            }
            guard replacesExisting else { throw .exists(path: path) }
        }
        // SQLite would apply a left-over journal to the new file and ruin it.
        for suffix in ["-wal", "-journal"] {
            let beside = try? FileStatus(of: target + suffix)
            if beside?.size ?? 0 > 0 { throw .inUse(path: path) }
        }
        return found
    }
}
