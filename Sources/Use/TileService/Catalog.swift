import Basics
import CLibrary
import ClusterQueries
import Platform
import TileArchive

/// The archives that are served, as found at one moment; never changed, only replaced.
struct Catalog: Sendable {
    /// An archive whose file exists but cannot be served, or only in its former state.
    struct Problem: Equatable, Sendable {
        let id: String
        /// The path as the user named it: shown on this machine, but not on the web.
        let path: String
        let reason: String
    }

    private(set) var archives: [String: ServedArchive] = [:]
    private(set) var problems: [Problem] = []
    /// The ids in the order in which pages list them.
    private(set) var ids: [String] = []
    /// The archives with vector tiles, by the marks of their ids.
    private var vectorArchives: [ContentHash: (id: [UInt8], archive: ServedArchive)] = [:]

    init() {}

    /// Looks at all paths again; archives that did not change stay open.
    init(of paths: [ServedPath], after old: Catalog) {
        for path in paths {
            let files = path.files { problems.append($0) }
            for file in files { add(file, old: old.archives[file.id]) }
        }
        // If a file is renamed while its folder is read, the folder may show neither the old nor
        // the new one; so an archive is looked up by name before it is dropped.
        for (id, archive) in old.archives
        where archives[id] == nil && !Self.isGone(archive.path) {
            add(
                ServedPath.File(
                    id: id, path: archive.path, folder: archive.folder, isLiving: archive.isLiving),
                old: archive)
        }
        ids = archives.keys.sorted()
        problems.sort { $0.id < $1.id }
        for archive in archives.values where TileKind(of: archive).isVector {
            let id = Array(archive.id.utf8)
            vectorArchives[ContentHash(of: id.span)] = (id, archive)
        }
    }

    /// Whether there is no archive at a path, as far as can be seen.
    private static func isGone(_ path: String) -> Bool {
        do {
            _ = try FileStatus(of: path)
            return FileStatus(ofArchiveAt: path) == nil
        } catch {
            return [ENOENT, ENOTDIR].contains { error == .system(code: $0) }
                && !Archive.isAddress(path)
        }
    }

    /// The archive with an id, if it has vector tiles.
    func vectorArchive(named id: Span<UInt8>) -> ServedArchive? {
        guard let found = vectorArchives[ContentHash(of: id)], found.id.count == id.count,
            id.indices.allSatisfy({ id[$0] == found.id[$0] })
        else { return nil }
        return found.archive
    }

    private mutating func add(_ file: ServedPath.File, old: ServedArchive?) {
        guard archives[file.id] == nil else {
            problems.append(
                Problem(
                    id: file.id, path: file.origin ?? file.path,
                    reason: "another file has this id; name it as ID=PATH to give it one of its own"
                ))
            return
        }
        if let old, old.path == file.path, old.isCurrent {
            archives[file.id] = old
            return
        }
        do {
            // A file that changes while it is opened is looked at again the next time.
            archives[file.id] =
                try ServedArchive(
                    id: file.id, path: file.path, in: file.folder, isLiving: file.isLiving) ?? old
        } catch {
            // The old archive is still readable: it holds the old file.
            archives[file.id] = Self.isGone(file.path) ? nil : old
            var reason = error.reason
            if archives[file.id].map({ !$0.archive.holdsFiles }) ?? false {
                reason += "; of its former state only what is open is served"
            }
            problems.append(Problem(id: file.id, path: file.origin ?? file.path, reason: reason))
        }
    }
}

extension ArchiveError {
    /// The reason, without the path, which is not shown on the web.
    var reason: String {
        switch self {
        case .unreadable(_, let reason), .corrupt(_, let reason), .wrongSchema(_, let reason):
            reason
        case .notADatabase: "it is not an SQLite database"
        case .truncated(_, let bytes, let expected):
            "it is cut short: \(bytes) bytes of \(expected)"
        case .locked: "it is locked by another program"
        case .unappliedChanges: "changes wait in a log beside it"
        case .damagedTile(_, let tile, let error): "tile \(tile): \(error)"
        case .damagedLeafBlock(_, let block, let error): "leaf block \(block): \(error)"
        case .damagedClusters(_, let reason): "the cluster index: \(reason)"
        case .refused(_, let reason): "its schema is not safe to read: \(reason)"
        case .unreadableClusters(_, let error): error.description
        case .otherClusters: "its file of clusters is from another build"
        case .unknownLeaf(_, let leaf): "there is no leaf \(leaf)"
        case .unknownLeafBlock(_, let block): "there is no leaf block \(block)"
        default: "it cannot be read"
        }
    }

    /// The reason why a file of clusters cannot be used.
    var reasonOfClusters: String {
        if case .otherClusters = self { reason } else { "its file of clusters: \(reason)" }
    }
}

extension ServiceError {
    init(_ error: ArchiveError, archive: String) {
        switch error {
        case .noClusters: self = .noClusters(archive: archive)
        case .unknownCluster(_, let id): self = .unknownCluster(id)
        case .tooManyChildren(_, _, let most):
            self = .badParameter("offset", expected: "below \(most): more children are not counted")
        case .damagedTile, .corrupt, .damagedClusters, .damagedLeafBlock, .unknownLeaf,
            .unknownLeafBlock, .unreadableClusters:
            self = .damaged(error.reason)
        default: self = .unreadable("'\(archive)' cannot be read just now: \(error.reason)")
        }
    }
}

extension ServiceError {
    init(_ error: ClusterQueryError, archive: String) {
        switch error {
        case .archive(let error): self.init(error, archive: archive)
        case .tooManyPoints(_, let block, let points, let wanted):
            self = .damaged("leaf block \(block) has \(points) points instead of \(wanted)")
        case .badLeafBlock(_, let block, let error):
            self = .damaged("leaf block \(block): \(error)")
        case .tooManyBlocks:
            self = .damaged("'\(archive)' has too many points to find one by its position")
        case .badTile, .tooMuchToTell: self = .damaged(error.description)
        case .largeLeaf(_, let leaf):
            self = .damaged("point \(leaf) carries more than \(DrawnNodes.mostBytes >> 20) MiB")
        }
    }
}
