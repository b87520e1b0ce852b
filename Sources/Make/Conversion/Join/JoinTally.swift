import Synchronization

/// Counts what is found while tiles are merged, in any thread.
final class JoinTally: Sendable {
    private struct State {
        var rewrittenTiles = 0
        var layers: [String: Int] = [:]
    }
    private let state = Mutex(State())

    var rewrittenTiles: Int { state.withLock { $0.rewrittenTiles } }

    func countRewrittenTile() { state.withLock { $0.rewrittenTiles += 1 } }

    /// Counts features of several archives that share an id within a tile's layer.
    func countSharedIDs(_ count: Int, in layer: String) {
        guard count > 0 else { return }
        state.withLock { $0.layers[layer, default: 0] += count }
    }

    var notes: [String] {
        state.withLock(\.layers).sorted { $0.key < $1.key }.map { layer, count in
            "layer \(layer): \(count) times a point of one archive has the id of another's in the same "
                + "tile; give them other ids, or name the layers apart"
        }
    }
}
