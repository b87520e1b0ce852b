import Platform

/// A file that appears whole under its name, or not at all.
///
/// It is written under another name in the same directory; unless it is published, it is removed.
struct OutputFile: ~Copyable {
    /// The name that was asked for.
    let path: String
    let temporaryPath: String
    private let replacesExisting: Bool
    /// Where it appears: the file that a link leads to, or the name itself.
    private let target: String
    private var isPublished = false

    /// Refuses at once what `publish` would have to refuse after all the work.
    init(path: String, replacesExisting: Bool) throws(ArchiveError) {
        let target = try Self.target(of: path)
        try Self.check(target, replacesExisting: replacesExisting, path: path)
        let (directory, name) = Directory.split(target)
        let token = String(UInt64.random(in: 0...(.max)), radix: 36)
        Self.removeLeftovers(of: name, in: directory)
        let temporaryPath = "\(directory)/\(Self.temporaryPrefix(for: name))\(Process.id)-\(token)"
        do {
            _ = try UnfinishedFiles.begin(temporaryPath) { () throws(FileError) in
                try File(creating: temporaryPath)
            }
        } catch {
            throw .cannotWrite(path: path, reason: "\(directory): \(error)")
        }
        self.path = path
        self.target = target
        self.temporaryPath = temporaryPath
        self.replacesExisting = replacesExisting
    }

    deinit {
        if !isPublished { UnfinishedFiles.remove(temporaryPath) }
    }

    /// Makes the file safe on the disk and gives it its name.
    mutating func publish() throws(ArchiveError) {
        try synchronize()
        try appear()
    }

    /// Makes the file safe on the disk, still under its other name.
    func synchronize() throws(ArchiveError) {
        try checkStillAllowed()
        do {
            try File(writing: temporaryPath).synchronize()
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    /// Refuses what has appeared under the name meanwhile.
    func checkStillAllowed() throws(ArchiveError) {
        try Self.check(target, replacesExisting: replacesExisting, path: path)
    }

    /// Gives a file that is safe on the disk its name.
    mutating func appear() throws(ArchiveError) {
        let replaced = try Self.check(target, replacesExisting: replacesExisting, path: path)
        do {
            if let replaced { try File.setPermissions(replaced.permissions, of: temporaryPath) }
            try UnfinishedFiles.publish(temporaryPath) { () throws(FileError) in try rename() }
        } catch {
            if error.isTaken { throw .exists(path: path) }
            throw ArchiveError(writing: path, error)
        }
        isPublished = true
        do {
            try Directory(Directory.split(target).directory).synchronize()
        } catch {
            throw .cannotWrite(path: path, reason: "\(error)")
        }
    }

    /// Takes back what has just appeared under a name that was free: the work did not end well.
    mutating func withdraw() {
        guard isPublished, !replacesExisting else { return }
        try? File.remove(target)
    }

    private func rename() throws(FileError) {
        // A link, unlike a rename, does not replace a file that has appeared since the check. Not
        // every file system has links; there the check must do.
        guard !replacesExisting else { return try File.rename(temporaryPath, to: target) }
        do {
            try File.link(temporaryPath, as: target)
        } catch {
            if error.isTaken { throw error }
            return try File.rename(temporaryPath, to: target)
        }
        try File.remove(temporaryPath)
    }

    /// What the name stands for: where a link leads, whose own name stays.
    private static func target(of path: String) throws(ArchiveError) -> String {
        let name = Directory.split(path).name
        guard !name.isEmpty, name != ".", name != ".." else {
            throw .cannotWrite(path: path, reason: "it names no file")
        }
        let found = try? FileStatus(of: path, followingLinks: false)
        guard found?.kind == .symbolicLink else { return path }
        do {
            return try File.resolved(path)
        } catch {
            throw .cannotWrite(path: path, reason: "it is a link, and where it leads: \(error)")
        }
    }

    /// The file that would be replaced, if there is one and it may be.
    @discardableResult
    private static func check(
        _ target: String, replacesExisting: Bool, path: String
    ) throws(ArchiveError) -> FileStatus? {
        let directory = Directory.split(target).directory
        do {
            _ = try FileStatus(of: directory)
        } catch {
            throw .cannotWrite(path: path, reason: "\(directory): \(error)")
        }
        let found = try? FileStatus(of: target, followingLinks: false)
        if let found {
            guard found.isRegular else {
                throw .cannotWrite(path: path, reason: "it is \(found.kind.noun)")
            }
            guard replacesExisting else { throw .exists(path: path) }
        }
        // SQLite would take a left-over journal for one of the new file and ruin that.
        for suffix in ["-wal", "-journal"] {
            let beside = try? FileStatus(of: target + suffix)
            if beside?.size ?? 0 > 0 { throw .inUse(path: path) }
        }
        return found
    }
}
