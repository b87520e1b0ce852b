import Synchronization

/// One client's connection, as the server keeps account of it.
final class Connection: Sendable {
    /// What the connection's requests are to be told.
    enum Admission: Sendable { case admitted, tooMany, tooManyFromAddress }

    let socket: Int32
    let peer: IPAddress
    let admission: Admission
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
    var isBusy: Bool { busy.load(ordering: .relaxed) }

    func begin(until deadline: Instant) {
        busy.store(true, ordering: .relaxed)
        self.deadline.store(deadline.nanoseconds, ordering: .relaxed)
    }

    func end(nextRequestUntil deadline: Instant) {
        self.deadline.store(deadline.nanoseconds, ordering: .relaxed)
        busy.store(false, ordering: .relaxed)
    }

    func isOverdue(at now: Instant) -> Bool {
        deadline.load(ordering: .relaxed) < now.nanoseconds
    }
}
