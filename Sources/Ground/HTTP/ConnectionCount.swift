import Synchronization

/// The numbers of open and of refused connections of a server, for its metrics.
public final class ConnectionCount: Sendable {
    private let count = Atomic(0)
    private let refusedCount = Atomic(0)

    public init() {}

    public var value: Int { count.load(ordering: .relaxed) }

    /// The connections past the limits since the server started.
    public var refused: Int { refusedCount.load(ordering: .relaxed) }

    func increment() { count.wrappingAdd(1, ordering: .relaxed) }

    func decrement() { count.wrappingSubtract(1, ordering: .relaxed) }

    func refuse() { refusedCount.wrappingAdd(1, ordering: .relaxed) }
}
