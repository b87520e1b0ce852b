import Synchronization

/// The numbers of open and of refused connections of a server, for its metrics.
public final class ConnectionCount: Sendable {
    private let count = Atomic(0)
    private let refusedCount = Atomic(0)
    private let refusals = Mutex<[Int: Int]>([:])

    public init() {}

    public var value: Int { count.load(ordering: .relaxed) }

    /// The connections past the limits since the server started.
    public var refused: Int { refusedCount.load(ordering: .relaxed) }

    /// How often a request was refused before it was asked, by status.
    public var refusalsByStatus: [Int: Int] { refusals.withLock { $0 } }

    func note(refusal status: Status) {
        refusals.withLock { $0[status.rawValue, default: 0] += 1 }
    }

    func increment() { count.wrappingAdd(1, ordering: .relaxed) }

    func decrement() { count.wrappingSubtract(1, ordering: .relaxed) }

    func refuse() { refusedCount.wrappingAdd(1, ordering: .relaxed) }
}
