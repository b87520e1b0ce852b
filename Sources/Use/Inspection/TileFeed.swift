import Geometry
import Synchronization
import TileArchive

/// Reads an archive's tiles batch by batch, for workers that take turns.
final class TileFeed: Sendable {
    /// Facts that only a pass over all tiles in their order shows.
    struct Passage: Sendable {
        /// The first of the tiles that are repeated.
        var duplicates: [TileID] = []
        /// The hash of all tiles, if it was asked for.
        var hash: String?
    }

    fileprivate struct State: ~Copyable {
        var scan: GroupScan
        var hash: TilesHash?
        var last: TileID?
        var passage = Passage()
        /// A scan that has ended would begin again.
        var isAtEnd = false
    }
    private let state: Mutex<State>

    init(
        _ archive: Archive, zooms: ClosedRange<Int>, inKeyOrder: Bool, hashing: Bool
    ) throws(ArchiveError) {
        let scan = try archive.scanGroups(zooms: zooms, inKeyOrder: inKeyOrder || hashing)
        state = Mutex(State(scan: scan, hash: hashing ? TilesHash() : nil))
    }

    /// The facts so far; complete once `next` has returned nil.
    var passage: Passage { state.withLock { $0.passage } }

    /// The next tiles, or nil after the last.
    func next() throws -> FeedBatch? {
        try state.withLock { state in
            var batch = FeedBatch()
            while !state.isAtEnd, !batch.isFull {
                if let group = try state.scan.next() {
                    state.include(group.first)
                    batch.append(group, from: &state.scan)
                } else {
                    state.finish()
                }
            }
            return batch.entries.isEmpty ? nil : batch
        }
    }
}

extension TileFeed.State {
    fileprivate mutating func include(_ tile: TileID) {
        if tile == last, passage.duplicates.count < 100 { passage.duplicates.append(tile) }
        last = tile
        guard var hash = hash.take() else { return }
        hash.include(tile, scan.bytes)
        self.hash = consume hash
    }

    fileprivate mutating func finish() {
        isAtEnd = true
        if let hash = hash.take() { passage.hash = hash.finish() }
    }
}
