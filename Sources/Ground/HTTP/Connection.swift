import CMicrohttpd
import Synchronization

/// The state that the server keeps for a client's connection.
package final class Connection: Sendable {
    /// Whether the connection's requests are answered or refused.
    package enum Admission: Sendable {
        case admitted, tooMany, tooManyFromAddress

        /// The reason of the refusal; nil if it is admitted.
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
    /// The time at which the connection is closed if the client makes no progress, in nanoseconds of `Instant`.
    private let deadline: Atomic<UInt64>
    private let busy = Atomic<Bool>(false)
    /// An answer that took long, until it is sent.
    private let answer = Mutex<Response?>(nil)

    init(socket: Int32, peer: IPAddress, admission: Admission, deadline: Instant) {
        self.socket = socket
        self.peer = peer
        self.admission = admission
        self.deadline = Atomic(deadline.nanoseconds)
    }

    /// Whether a request was received and its answer is not sent yet.
    package var isBusy: Bool { busy.load(ordering: .relaxed) }

    package func begin(until deadline: Instant) {
        busy.store(true, ordering: .relaxed)
        self.deadline.store(deadline.nanoseconds, ordering: .relaxed)
    }

    package func end(nextRequestUntil deadline: Instant) {
        self.deadline.store(deadline.nanoseconds, ordering: .relaxed)
        busy.store(false, ordering: .relaxed)
    }

    func keep(_ response: Response) { answer.withLock { $0 = response } }

    func takeAnswer() -> Response? { answer.withLock { $0.take() } }

    /// Whether the client has hung up. The socket must be open.
    var isLeft: Bool { covey_mhd_is_left(socket) }

    package func isOverdue(at now: Instant) -> Bool {
        deadline.load(ordering: .relaxed) < now.nanoseconds
    }
}
