import Geometry
import Synchronization
import TileArchive

/// The changes of archives while clients look at them.
final class ArchiveChanges: Sendable {
    /// The changes that a client does not have yet.
    enum News: Equatable {
        case none
        /// The tiles that changed; nil if all may have.
        case replaced([TileID]?)
    }

    fileprivate struct Change {
        let from: String
        let tiles: [TileID]?
    }

    /// An archive whose changes clients ask for.
    fileprivate struct Heard {
        var version: String
        /// Nil before marks are made, and if they cannot be.
        var marks: TileMarks?
        /// The version of the last look.
        var looked: String?
        /// The latest changes, oldest first.
        var changes: [Change] = []
        var lastAsked: ContinuousClock.Instant
    }

    private let heard = Mutex<[String: Heard]>([:])
    /// The most changes that are remembered, and the most tiles that are named.
    fileprivate static let remembered = 60
    private static let namedTiles = 5_000
    /// The most tiles that have marks, in all archives together: a mark takes 16 bytes.
    private static let markedTiles = 4_000_000
    /// For how long an archive is followed without a question about it.
    private static let patience = Duration.seconds(120)

    /// The changes since a client's version, and the present version. The first such question makes
    /// the archive followed.
    func news(of archive: ServedArchive, since version: String?) -> (News, version: String) {
        heard.withLock { heard in
            heard[archive.id, default: Heard(version: archive.version, lastAsked: .now)].lastAsked =
                .now
            guard let known = heard[archive.id] else { return (.none, archive.version) }
            guard let version, version != known.version else { return (.none, known.version) }
            guard let first = known.changes.firstIndex(where: { $0.from == version }) else {
                return (.replaced(nil), known.version)
            }
            var tiles: Set<TileID> = []
            for change in known.changes[first...] {
                guard let some = change.tiles else { return (.replaced(nil), known.version) }
                tiles.formUnion(some)
            }
            return (.replaced(tiles.sorted()), known.version)
        }
    }

    /// Looks at the archives that are followed, and compares those that were replaced with their earlier state.
    func follow(_ archives: [String: ServedArchive]) {
        let now = ContinuousClock.now
        let followed = heard.withLock { heard in
            heard = heard.filter { id, one in
                archives[id] != nil && now - one.lastAsked < Self.patience
            }
            return heard
        }
        var room = followed.values.reduce(Self.markedTiles) { $0 - ($1.marks?.count ?? 0) }
        for (id, before) in followed {
            guard let archive = archives[id], before.looked != archive.version else { continue }
            room += before.marks?.count ?? 0
            // If an archive cannot be read completely, all its tiles count as changed.
            let marks = (try? TileMarks(of: archive.archive, upTo: room)).flatMap(\.self)
            guard archive.isCurrent else { continue }
            room -= marks?.count ?? 0
            let tiles = marks.flatMap { before.marks?.differences(from: $0, upTo: Self.namedTiles) }
            heard.withLock { $0[id]?.take(archive.version, marks, changed: tiles) }
        }
    }
}

extension ArchiveChanges.Heard {
    /// Notes a version that has been looked at.
    fileprivate mutating func take(_ new: String, _ marks: TileMarks?, changed tiles: [TileID]?) {
        self.marks = marks
        looked = new
        guard new != version else { return }
        changes.append(.init(from: version, tiles: tiles))
        changes = changes.suffix(ArchiveChanges.remembered)
        version = new
    }
}
