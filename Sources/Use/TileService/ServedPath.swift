import Platform
import TileArchive

/// A file or folder that a user wants served, with an id if the user chose one: `cafes=data/a.mbtiles`.
public struct ServedPath: Equatable, Sendable {
    public let path: String
    public let id: String?
    /// Whether links in a folder may lead out of it.
    public var followsLinks = false
    /// Whether its archives may change at any time, whatever they state themselves.
    public var isLiving = false
    /// The path that the user named, if the archive was made from it.
    public var origin: String?

    public init(path: String, id: String? = nil) {
        self.path = path
        self.id = id
    }

    /// Reads `PATH` or `ID=PATH`; a path that exists is always a path.
    public init(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, ArchiveID.isValid(String(parts[0])),
            (try? FileStatus(of: argument)) == nil
        {
            self.init(path: String(parts[1]), id: String(parts[0]))
        } else {
            self.init(path: argument)
        }
    }

    /// A file to serve, with its id.
    struct File: Equatable {
        let id: String
        let path: String
        /// The folder that must contain all its files; nil if they may be anywhere, as for a file that the user named.
        var folder: ServedFolder?
        var isLiving = false
        var origin: String?
    }

    /// The id for a name, if no other was chosen.
    public static func usualID(of name: String) -> String {
        ArchiveID.unreserved(ArchiveID.id(forPath: name))
    }

    /// The ids of the archives that are there now.
    public var ids: [String] { files().map(\.id) }

    /// The archives that are there now.
    /// - Parameter unreadable: is called with each folder that cannot be read.
    func files(unreadable: (Catalog.Problem) -> Void = { _ in }) -> [File] {
        let isAddress = Archive.isAddress(path)
        guard !isAddress, (try? FileStatus(of: path))?.kind == .directory,
            !TileFolder.lies(at: path)
        else {
            let plain = path.prefix { !isAddress || !"?#".contains($0) }
            let own = Self.usualID(of: Self.stem(of: Self.name(of: String(plain))))
            return [File(id: id ?? own, path: path, isLiving: isLiving, origin: origin)]
        }
        let folder = followsLinks ? nil : ServedFolder(path: path)
        let archives = Folder(path: path).archives(withExtensions: Self.endings) { below, error in
            let name = below.isEmpty ? id ?? Self.usualID(of: Self.name(of: path)) : id(below)
            unreadable(
                Catalog.Problem(
                    id: name, path: below.isEmpty ? path : "\(path)/\(below)",
                    reason: "the folder cannot be read: \(error)"))
        }
        return archives.map { below in
            File(
                id: id(Self.stem(of: below)), path: "\(path)/\(below)", folder: folder,
                isLiving: isLiving)
        }
    }

    /// The id of something in the folder.
    private func id(_ below: String) -> String {
        let name = ArchiveID.id(forPath: below)
        return ArchiveID.unreserved(id.map { "\($0)~\(name)" } ?? name)
    }

    /// The last part of a path; of `.` and `..` that of the folder which they lead to.
    private static func name(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard [".", ".."].contains(name), let whole = try? Platform.File.resolved(path) else {
            return name
        }
        return self.name(of: whole)
    }

    private static let endings = ArchiveContainers.all.flatMap { $0.endings }

    private static func stem(of path: String) -> String {
        let ending = endings.map { ".\($0)" }.first {
            path.hasSuffix($0) && path.utf8.count > $0.utf8.count
        }
        return String(path.dropLast(ending?.count ?? 0))
    }
}
