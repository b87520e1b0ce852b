import Geometry
import Synchronization
import TileArchive

/// What has changed about archives while clients looked at them.
final class ArchiveChanges: Sendable {
    /// What a client does not have yet.
    enum News: Equatable {
        case none
        /// The tiles that are others; nil where all may be.
        case replaced([TileID]?)
    }

    fileprivate struct Change {
        let from: String
        let tiles: [TileID]?
    }

    /// An archive that clients listen to.
    fileprivate struct Heard {
        var version: String
        /// Nil before they are made, and where they cannot be.
        var marks: TileMarks?
        /// The version that was looked at last.
        var looked: String?
        /// The latest, oldest first.
        var changes: [Change] = []
        var lastAsked: ContinuousClock.Instant
    }

    private let heard = Mutex<[String: Heard]>([:])
    /// How many changes are remembered, and how many tiles are named.
    fileprivate static let remembered = 60
    private static let namedTiles = 5_000
    /// How many tiles are marked in all archives together: they take 16 bytes each.
    private static let markedTiles = 4_000_000
    /// For how long an archive is followed that no client asks about.
    private static let patience = Duration.seconds(120)

    /// What is new for a client that has some version, and the version that it has then. An archive is followed from
    /// the first such question on.
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

    /// Looks at the archives that are followed; those that were replaced are compared with what they were.
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
            // One that cannot be read whole is new as a whole.
            let marks = (try? TileMarks(of: archive.archive, upTo: room)).flatMap(\.self)
            guard archive.isCurrent else { continue }
            room -= marks?.count ?? 0
            let tiles = marks.flatMap { before.marks?.differences(from: $0, upTo: Self.namedTiles) }
            heard.withLock { $0[id]?.take(archive.version, marks, changed: tiles) }
        }
    }
}

extension ArchiveChanges.Heard {
    /// Takes up a version that has been looked at.
    fileprivate mutating func take(_ new: String, _ marks: TileMarks?, changed tiles: [TileID]?) {
        self.marks = marks
        looked = new
        guard new != version else { return }
        changes.append(.init(from: version, tiles: tiles))
        changes = changes.suffix(ArchiveChanges.remembered)
        version = new
    }
}
