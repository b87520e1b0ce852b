import CMicrohttpd
import Synchronization

/// All open connections: which are admitted, and which have timed out.
///
/// libmicrohttpd restarts its own time-out with every byte, and closes connections past its own
/// limits without an answer; so both are implemented here.
package final class ConnectionTable: Sendable {
    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        /// The number of admitted connections.
        var count = 0
        var countByAddress: [IPAddress: Int] = [:]
        /// The connections past the limits in order of arrival; there are never many.
        var refused: [Connection] = []
    }

    let count: ConnectionCount
    private let limits: Limits
    private let state = Mutex(State())

    package init(limits: Limits, count: ConnectionCount) {
        self.limits = limits
        self.count = count
    }

    package func open(
        socket: Int32, from peer: IPAddress, at now: Instant = .now
    ) -> Connection {
        count.increment()
        return state.withLock { state in
            let admission = admission(of: peer, in: state)
            let isAdmitted = admission == .admitted
            let seconds =
                isAdmitted
                ? limits.secondsToAsk : min(limits.secondsToAsk, Limits.secondsToAskPastLimit)
            let connection = Connection(
                socket: socket, peer: peer, admission: admission,
                deadline: now.advanced(bySeconds: seconds))
            state.connections[ObjectIdentifier(connection)] = connection
            if isAdmitted {
                state.count += 1
                state.countByAddress[peer, default: 0] += 1
            } else {
                count.refuse()
                state.refused.append(connection)
                if state.refused.count > limits.connectionsPastLimit,
                    let oldest = state.refused.firstIndex(where: { !$0.isBusy })
                {
                    hangUp(state.refused.remove(at: oldest))
                }
            }
            return connection
        }
    }

    private func admission(of peer: IPAddress, in state: State) -> Connection.Admission {
        if state.count >= limits.connections { return .tooMany }
        guard let most = limits.connectionsPerAddress,
            state.countByAddress[peer, default: 0] >= most
        else { return .admitted }
        return limits.proxies.contains { $0.contains(peer) } ? .admitted : .tooManyFromAddress
    }

    package func close(_ connection: Connection) {
        count.decrement()
        state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = nil
            guard connection.admission == .admitted else {
                return state.refused.removeAll { $0 === connection }
            }
            state.count -= 1
            let left = state.countByAddress[connection.peer, default: 1] - 1
            state.countByAddress[connection.peer] = left > 0 ? left : nil
        }
    }

    /// The number of addresses with admitted connections.
    package var addressCount: Int { state.withLock { $0.countByAddress.count } }

    package var hasBusyConnections: Bool {
        state.withLock { state in state.connections.values.contains { $0.isBusy } }
    }

    /// Closes the connections whose clients took too long. The lock is held meanwhile, so that no
    /// socket is closed and its number reused in between.
    package func cutOverdue(at now: Instant = .now) {
        state.withLock { state in
            for connection in state.connections.values where connection.isOverdue(at: now) {
                hangUp(connection)
            }
        }
    }

    /// Closes a connection. A client past a limit that has not sent a request gets the refusal first.
    private func hangUp(_ connection: Connection) {
        let refusal = connection.isBusy ? nil : connection.admission.refusal
        if refusal != nil { count.note(refusal: .serviceUnavailable) }
        let words = Array((refusal.map(Response.refusalBeforeRequest) ?? "").utf8)
        unsafe words.withUnsafeBytes { words in
            unsafe covey_mhd_hang_up(connection.socket, words.baseAddress, words.count)
        }
    }
}
