import CMicrohttpd
import Synchronization

/// All open connections: who is let in, who has taken too long.
///
/// libmicrohttpd's own time-out starts anew with every byte, and its own limits hang up without a
/// word; so both are kept here.
final class ConnectionLedger: Sendable {
    private struct Book {
        var connections: [ObjectIdentifier: Connection] = [:]
        var countByAddress: [IPAddress: Int] = [:]
    }

    let count: ConnectionCount
    private let limits: Limits
    private let book = Mutex(Book())

    init(limits: Limits, count: ConnectionCount) {
        self.limits = limits
        self.count = count
    }

    func open(socket: Int32, from peer: IPAddress) -> Connection {
        count.increment()
        return book.withLock { book in
            let countFromThere = book.countByAddress[peer, default: 0] + 1
            book.countByAddress[peer] = countFromThere
            let connection = Connection(
                socket: socket, peer: peer,
                admission: admission(
                    of: peer, total: book.connections.count + 1, fromThere: countFromThere),
                deadline: .now.advanced(bySeconds: limits.secondsToAsk))
            book.connections[ObjectIdentifier(connection)] = connection
            return connection
        }
    }

    private func admission(of peer: IPAddress, total: Int, fromThere: Int) -> Connection.Admission {
        if total > limits.connections { return .tooMany }
        guard let most = limits.connectionsPerAddress, fromThere > most else { return .welcome }
        return limits.proxies.contains { $0.contains(peer) } ? .welcome : .tooManyFromThere
    }

    func close(_ connection: Connection) {
        count.decrement()
        book.withLock { book in
            book.connections[ObjectIdentifier(connection)] = nil
            let left = book.countByAddress[connection.peer, default: 1] - 1
            book.countByAddress[connection.peer] = left > 0 ? left : nil
        }
    }

    var hasBusyConnections: Bool {
        book.withLock { book in book.connections.values.contains { $0.isBusy } }
    }

    /// Ends the connections whose client took too long. The lock is held meanwhile, so that no
    /// socket is closed and its number used again in between.
    func cutOverdue(at now: Instant = .now) {
        book.withLock { book in
            for connection in book.connections.values where connection.isOverdue(at: now) {
                shutdown(connection.socket, Int32(SHUT_RDWR))
            }
        }
    }
}
