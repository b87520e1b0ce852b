import HTTP
import Synchronization

/// Tiles that were inflated for clients without gzip, by the mark of their stored bytes.
///
/// Two generations share the budget: when the young one has used up its half, it becomes the old one
/// and the old one is dropped. What is asked for again moves back among the young.
final class InflatedTiles: Sendable {
    private struct State {
        var young: [ContentHash: Payload] = [:]
        var old: [ContentHash: Payload] = [:]
        var youngBytes = 0
        var hits = 0
        var misses = 0
    }

    struct Figures {
        var hits: Int
        var misses: Int
        var bytes: Int
    }

    private let budget: Int
    private let state = Mutex(State())

    init(budget: Int) { self.budget = budget }

    func payload(for hash: ContentHash) -> Payload? {
        state.withLock { state in
            if let payload = state.young[hash] {
                state.hits += 1
                return payload
            }
            guard let payload = state.old.removeValue(forKey: hash) else {
                state.misses += 1
                return nil
            }
            state.hits += 1
            insert(payload, for: hash, into: &state)
            return payload
        }
    }

    func keep(_ payload: Payload, for hash: ContentHash) {
        state.withLock { insert(payload, for: hash, into: &$0) }
    }

    private func insert(_ payload: Payload, for hash: ContentHash, into state: inout State) {
        let half = budget / 2
        guard payload.count <= half else { return }
        if state.youngBytes + payload.count > half {
            state.old = state.young
            state.young = [:]
            state.youngBytes = 0
        }
        if state.young.updateValue(payload, forKey: hash) == nil {
            state.youngBytes += payload.count
        }
    }

    var figures: Figures {
        state.withLock { state in
            let bytes = state.old.values.reduce(state.youngBytes) { $0 + $1.count }
            return Figures(hits: state.hits, misses: state.misses, bytes: bytes)
        }
    }
}
