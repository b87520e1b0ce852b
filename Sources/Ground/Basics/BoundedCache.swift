import Synchronization

/// Values that are kept as long as there is room for them, those asked for lately the longest.
///
/// Two generations share the budget: when the young one has used up its half, it becomes the old one
/// and the old one is dropped. What is asked for again moves back among the young.
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var young: [Key: Value] = [:]
        var old: [Key: Value] = [:]
        var youngBytes = 0
        var oldBytes = 0
        var hits = 0
        var misses = 0
    }

    package struct Figures {
        package var hits: Int
        package var misses: Int
        package var bytes: Int
    }

    private let budget: Int
    private let size: @Sendable (Value) -> Int
    private let state = Mutex(State())

    /// - Parameter size: how many bytes a value takes, not counting what the cache itself needs.
    package init(budget: Int, size: @escaping @Sendable (Value) -> Int) {
        self.budget = budget
        self.size = size
    }

    package func value(for key: Key) -> Value? {
        state.withLock { state in
            if let value = state.young[key] {
                state.hits += 1
                return value
            }
            guard let value = state.old.removeValue(forKey: key) else {
                state.misses += 1
                return nil
            }
            state.hits += 1
            state.oldBytes -= cost(of: value)
            insert(value, for: key, into: &state)
            return value
        }
    }

    /// The value of a key, which is made and kept where it is not there. Two threads may both make it.
    package func value<Failure>(
        for key: Key, or make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if let kept = value(for: key) { return kept }
        let value = try make()
        keep(value, for: key)
        return value
    }

    package func keep(_ value: Value, for key: Key) {
        state.withLock { insert(value, for: key, into: &$0) }
    }

    /// An entry of a table, an object and its memory's head come to about this much.
    private func cost(of value: Value) -> Int { size(value) + 160 }

    private func insert(_ value: Value, for key: Key, into state: inout State) {
        if let before = state.young.removeValue(forKey: key) {
            state.youngBytes -= cost(of: before)
        }
        if let before = state.old.removeValue(forKey: key) { state.oldBytes -= cost(of: before) }
        let half = budget / 2
        let cost = cost(of: value)
        guard cost <= half else { return }
        if state.youngBytes + cost > half {
            state.old = state.young
            state.oldBytes = state.youngBytes
            state.young = [:]
            state.youngBytes = 0
        }
        state.young[key] = value
        state.youngBytes += cost
    }

    package var figures: Figures {
        state.withLock { state in
            Figures(
                hits: state.hits, misses: state.misses, bytes: state.youngBytes + state.oldBytes)
        }
    }
}
