import Platform

/// A folder that appears whole under its name, or not at all.
///
/// It is filled under another name in the same directory; unless it is published, it is removed.
struct OutputFolder: ~Copyable {
    /// The name that was asked for.
    let path: String
    let temporaryPath: String
    private let replacesExisting: Bool
    /// Where it appears: what a link leads to, or the name itself.
    private let target: String
    private var isPublished = false

    /// Refuses at once what `publish` would have to refuse after all the work.
    init(path: String, replacesExisting: Bool) throws(ArchiveError) {
        let target = try Self.target(of: path)
        _ = try Self.existing(target, replacesExisting: replacesExisting, path: path)
        let (directory, name) = Directory.split(target)
        let token = String(UInt64.random(in: 0...(.max)), radix: 36)
        OutputFile.removeLeftovers(of: name, in: directory)
        let temporaryPath =
            "\(directory)/\(OutputFile.temporaryPrefix(for: name))\(Process.id)-\(token)"
        do {
            try UnfinishedFiles.begin(temporaryPath) { () throws(FileError) in
                try Directory.create(temporaryPath)
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

    /// Makes the folder safe on the disk and gives it its name.
    mutating func publish() throws(ArchiveError) {
        let replaced = try Self.existing(target, replacesExisting: replacesExisting, path: path)
        do {
            try Directory(temporaryPath).synchronizeAll()
            try UnfinishedFiles.publish(temporaryPath) { () throws(FileError) in
                if replaced {
                    try exchange()
                } else {
                    try Directory.rename(temporaryPath, toNew: target)
                }
            }
            isPublished = true
            try Directory(Directory.split(target).directory).synchronize()
        } catch {
            if error.isTaken { throw .exists(path: path) }
            throw ArchiveError(writing: path, error)
        }
        // Where the new folder was filled now lies the old one.
        if replaced {
            try? UnfinishedFiles.begin(temporaryPath) { () throws(FileError) in }
            UnfinishedFiles.remove(temporaryPath)
        }
    }

    private func exchange() throws(FileError) {
        do {
            try Directory.exchange(temporaryPath, target)
        } catch {
            guard error.isUnsupported else { throw error }
            // Nothing has the name for a moment; if the program ends just then, the old folder
            // lies beside it.
            let aside = temporaryPath + "-old"
            try File.rename(target, to: aside)
            try File.rename(temporaryPath, to: target)
            try File.rename(aside, to: temporaryPath)
        }
    }

    private static func target(of path: String) throws(ArchiveError) -> String {
        var plain = path[...]
        while plain.hasSuffix("/"), plain.count > 1 { plain = plain.dropLast() }
        let name = Directory.split(String(plain)).name
        guard !name.isEmpty, name != ".", name != ".." else {
            throw .cannotWrite(path: path, reason: "it names no folder of its own")
        }
        let found = try? FileStatus(of: String(plain), followingLinks: false)
        guard found?.kind == .symbolicLink else { return String(plain) }
        do {
            return try File.resolved(String(plain))
        } catch {
            throw .cannotWrite(path: path, reason: "it is a link, and where it leads: \(error)")
        }
    }

    /// Whether there is a folder that would be replaced. An empty one is as good as none; anything but
    /// an archive is refused.
    private static func existing(
        _ target: String, replacesExisting: Bool, path: String
    ) throws(ArchiveError) -> Bool {
        let directory = Directory.split(target).directory
        do {
            _ = try FileStatus(of: directory)
        } catch {
            throw .cannotWrite(path: path, reason: "\(directory): \(error)")
        }
        guard let found = try? FileStatus(of: target, followingLinks: false) else { return false }
        guard found.kind == .directory else {
            throw .cannotWrite(path: path, reason: "it is \(found.kind.noun), and no folder")
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
                path: path, reason: "it holds \(names[0]) and is no archive; name a new folder")
        }
        guard replacesExisting else { throw .exists(path: path) }
        if let other = names.first(where: { !FolderNames.isOwn($0) }) {
            throw .cannotWrite(
                path: path,
                reason: "\(other) in it is no part of an archive and would be lost; move it away")
        }
        return true
    }
}
