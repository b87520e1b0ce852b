import Synchronization

/// One client's connection, as the server keeps account of it.
package final class Connection: Sendable {
    /// What the connection's requests are to be told.
    package enum Admission: Sendable {
        case admitted, tooMany, tooManyFromAddress

        /// Why it is refused; nil if it is not.
        var refusal: String? {
            switch self {
            case .admitted: nil
            case .tooMany: "too many connections"
            case .tooManyFromAddress: "too many connections from your address"
            }
        }
    }

    let socket: Int32
    let peer: IPAddress
    package let admission: Admission
    /// When the connection is cut unless the client moves on: nanoseconds of `Instant`.
    private let deadline: Atomic<UInt64>
    private let busy = Atomic<Bool>(false)

    init(socket: Int32, peer: IPAddress, admission: Admission, deadline: Instant) {
        self.socket = socket
        self.peer = peer
        self.admission = admission
        self.deadline = Atomic(deadline.nanoseconds)
    }

    /// Whether a request was taken and its answer is not yet sent.
    package var isBusy: Bool { busy.load(ordering: .relaxed) }

    package func begin(until deadline: Instant) {
        busy.store(true, ordering: .relaxed)
        self.deadline.store(deadline.nanoseconds, ordering: .relaxed)
    }

    package func end(nextRequestUntil deadline: Instant) {
        self.deadline.store(deadline.nanoseconds, ordering: .relaxed)
        busy.store(false, ordering: .relaxed)
    }

    package func isOverdue(at now: Instant) -> Bool {
        deadline.load(ordering: .relaxed) < now.nanoseconds
    }
}
