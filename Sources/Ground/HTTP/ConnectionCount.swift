import Synchronization

/// How many connections a server has open now and has refused, for its metrics.
public final class ConnectionCount: Sendable {
    private let count = Atomic(0)
    private let refusedCount = Atomic(0)

    public init() {}

    public var value: Int { count.load(ordering: .relaxed) }

    /// Those past the limits, since the server began.
    public var refused: Int { refusedCount.load(ordering: .relaxed) }

    func increment() { count.wrappingAdd(1, ordering: .relaxed) }

    func decrement() { count.wrappingSubtract(1, ordering: .relaxed) }

    func refuse() { refusedCount.wrappingAdd(1, ordering: .relaxed) }
}
