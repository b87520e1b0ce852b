import Platform

/// A folder that appears whole under its name, or not at all.
///
/// It is filled under another name in the same directory; unless it is published, it is removed.
struct OutputFolder: ~Copyable {
    private let name: OutputName
    private let replacesExisting: Bool
    private var isPublished = false

    /// Throws at once if `publish` would fail after all the work.
    init(path: String, replacesExisting: Bool) throws(ArchiveError) {
        var plain = path[...]
        while plain.hasSuffix("/"), plain.count > 1 { plain = plain.dropLast() }
        let name = try OutputName(path, plain: String(plain), noun: "folder of its own")
        _ = try Self.existing(name, replacesExisting: replacesExisting)
        // Only those look into the new folder who may look into the old one, from the start. Its group comes at the end.
        let former = Self.former(name)
        let permissions = (former.map { $0.permissions & ~0o070 } ?? 0o777) | 0o700
        try name.begin { (path) throws(FileError) in
            try Directory.create(path, permissions: permissions)
        }
        self.name = name
        self.replacesExisting = replacesExisting
    }

    /// The requested name.
    var path: String { name.path }
    /// The target of that name.
    var target: String { name.target }
    var temporaryPath: String { name.temporaryPath }

    deinit {
        if !isPublished { UnfinishedFiles.remove(temporaryPath) }
    }

    /// Makes the folder durable and gives it its name.
    mutating func publish() throws(ArchiveError) {
        let replaced = try Self.existing(name, replacesExisting: replacesExisting)
        do {
            if let former = Self.former(name) { try File.setAccess(as: former, of: temporaryPath) }
            try Directory(temporaryPath).synchronizeAll()
            try UnfinishedFiles.publish(temporaryPath) { () throws(FileError) in
                if replaced {
                    try exchange()
                } else {
                    try Directory.rename(temporaryPath, toNew: name.target)
                }
            }
            isPublished = true
            try name.synchronizeDirectory()
        } catch {
            if error.isTaken { throw .exists(path: path) }
            throw ArchiveError(writing: path, error)
        }
        // The old folder is now at the temporary path.
        if replaced {
            try? UnfinishedFiles.begin(temporaryPath) { () throws(FileError) in }
            UnfinishedFiles.remove(temporaryPath)
        }
    }

    private func exchange() throws(FileError) {
        do {
            try Directory.exchange(temporaryPath, name.target)
        } catch {
            guard error.isUnsupported else { throw error }
            // For a moment the name does not exist; if the program ends just then, the old folder is beside it.
            let aside = temporaryPath + "-old"
            try File.rename(name.target, to: aside)
            try File.rename(temporaryPath, to: name.target)
            try File.rename(aside, to: temporaryPath)
        }
    }

    /// What has the name now, if anything; it may be empty.
    private static func former(_ name: OutputName) -> FileStatus? {
        try? FileStatus(of: name.target, followingLinks: false)
    }

    /// Whether a folder would be replaced. An empty one does not count; anything but an archive is refused.
    private static func existing(
        _ name: OutputName, replacesExisting: Bool
    ) throws(ArchiveError) -> Bool {
        try name.checkDirectory()
        let (path, target) = (name.path, name.target)
        guard let found = try? FileStatus(of: target, followingLinks: false) else { return false }
        guard found.kind == .directory else {
            throw .cannotWrite(path: path, reason: "it is \(found.kind.noun), not a folder")
        }
        let names: [String]
        do {
            names = try Directory(target).names().sorted()
        } catch {
            throw .cannotWrite(path: path, reason: "\(error)")
        }
        guard !names.isEmpty else { return false }
        guard names.contains(FolderNames.metadata) || names.contains(FolderNames.tileJSON) else {
            throw .cannotWrite(
                path: path, reason: "it holds \(names[0]) and is not an archive; name a new folder")
        }
        guard replacesExisting else { throw .exists(path: path) }
        if let other = names.first(where: { !FolderNames.isOwn($0) }) {
            throw .cannotWrite(
                path: path,
                reason: "\(other) in it is not part of an archive and would be lost; move it away")
        }
        return true
    }
}
