import CMicrohttpd
import Synchronization

/// All open connections: who is let in, who has taken too long.
///
/// libmicrohttpd's own time-out starts anew with every byte, and its own limits hang up without a
/// word; so both are kept here.
final class ConnectionTable: Sendable {
    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var countByAddress: [IPAddress: Int] = [:]
    }

    let count: ConnectionCount
    private let limits: Limits
    private let state = Mutex(State())

    init(limits: Limits, count: ConnectionCount) {
        self.limits = limits
        self.count = count
    }

    func open(socket: Int32, from peer: IPAddress) -> Connection {
        count.increment()
        return state.withLock { state in
            let countFromAddress = state.countByAddress[peer, default: 0] + 1
            state.countByAddress[peer] = countFromAddress
            let connection = Connection(
                socket: socket, peer: peer,
                admission: admission(
                    of: peer, total: state.connections.count + 1, fromAddress: countFromAddress),
                deadline: .now.advanced(bySeconds: limits.secondsToAsk))
            state.connections[ObjectIdentifier(connection)] = connection
            return connection
        }
    }

    private func admission(of peer: IPAddress, total: Int, fromAddress: Int) -> Connection.Admission
    {
        if total > limits.connections { return .tooMany }
        guard let most = limits.connectionsPerAddress, fromAddress > most else { return .admitted }
        return limits.proxies.contains { $0.contains(peer) } ? .admitted : .tooManyFromAddress
    }

    func close(_ connection: Connection) {
        count.decrement()
        state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = nil
            let left = state.countByAddress[connection.peer, default: 1] - 1
            state.countByAddress[connection.peer] = left > 0 ? left : nil
        }
    }

    var hasBusyConnections: Bool {
        state.withLock { state in state.connections.values.contains { $0.isBusy } }
    }

    /// Ends the connections whose client took too long. The lock is held meanwhile, so that no
    /// socket is closed and its number used again in between.
    func cutOverdue(at now: Instant = .now) {
        state.withLock { state in
            for connection in state.connections.values where connection.isOverdue(at: now) {
                shutdown(connection.socket, Int32(SHUT_RDWR))
            }
        }
    }
}
