import Synchronization

/// The results of independent pieces of work, kept in the order of the pieces.
final class Slots<Value: Sendable>: Sendable {
    private let values: Mutex<[Value?]>

    init(count: Int) { values = Mutex(Array(repeating: nil, count: count)) }

    func put(_ value: Value, at index: Int) { values.withLock { $0[index] = value } }

    /// All results; every piece must have left its own.
    var all: [Value] {
        values.withLock { values in values.compactMap { $0 } }
    }
}
