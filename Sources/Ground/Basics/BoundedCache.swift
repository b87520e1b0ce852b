import Synchronization

/// A cache with a budget of bytes; values that were used recently stay longest.
///
/// Two generations share the budget: when the young one has used half of it, it becomes the old one and the
/// previous old one is dropped. A value that is used again moves back to the young generation.
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

    /// - Parameter size: the bytes of a value, without the overhead of the cache.
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

    /// The value of a key; if it is missing, it is made and kept. Two threads may both make it.
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

    /// A table entry, an object and the header of its memory take about this much.
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
