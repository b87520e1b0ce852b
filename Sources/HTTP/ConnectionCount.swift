import Synchronization

/// How many connections a server has open now, for whoever wants to tell.
public final class ConnectionCount: Sendable {
    private let count = Atomic(0)

    public init() {}

    public var value: Int { count.load(ordering: .relaxed) }

    func increment() { count.wrappingAdd(1, ordering: .relaxed) }

    func decrement() { count.wrappingSubtract(1, ordering: .relaxed) }
}
