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

    private struct Change {
        let from: String
        let to: String
        let tiles: [TileID]?
    }

    /// An archive that clients listen to.
    private struct Heard {
        var version: String
        var marks: TileMarks?
        /// The latest, oldest first.
        var changes: [Change] = []
        var lastAsked: ContinuousClock.Instant
    }

    private let heard = Mutex<[String: Heard]>([:])
    /// How many changes are remembered, and how many tiles are named.
    private static let remembered = 60
    private static let namedTiles = 5_000
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
        for (id, before) in followed {
            guard let archive = archives[id] else { continue }
            let isNew = archive.version != before.version
            guard isNew || before.marks == nil else { continue }
            // One that cannot be read whole is new as a whole.
            let marks = (try? TileMarks(of: archive.archive)).flatMap(\.self)
            guard archive.isCurrent else { continue }
            let tiles = marks.flatMap { before.marks?.differences(from: $0, upTo: Self.namedTiles) }
            heard.withLock { heard in
                heard[id]?.marks = marks
                guard isNew else { return }
                heard[id]?.version = archive.version
                heard[id]?.changes.append(
                    Change(from: before.version, to: archive.version, tiles: tiles))
                if heard[id]?.changes.count ?? 0 > Self.remembered {
                    heard[id]?.changes.removeFirst()
                }
            }
        }
    }
}
