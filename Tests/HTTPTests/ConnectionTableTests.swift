import CLibrary
import HTTP
import Testing

struct ConnectionTableTests {
    static let here = IPAddress.loopback
    static let elsewhere = IPAddress("10.0.0.7") ?? .loopback
    static let start = Instant(nanoseconds: 5_000_000_000)

    static func table(_ change: (inout Limits) -> Void) -> (ConnectionTable, ConnectionCount) {
        var limits = Limits()
        change(&limits)
        let count = ConnectionCount()
        return (ConnectionTable(limits: limits, count: count), count)
    }

    @Test func `as many as the limit says are admitted, and one more for each that closes`() {
        let (table, count) = Self.table { $0.connections = 3 }
        let open = (0..<3).map { _ in table.open(socket: -1, from: Self.here) }
        #expect(open.allSatisfy { $0.admission == .admitted } && count.value == 3)
        let refused = (0..<4).map { _ in table.open(socket: -1, from: Self.elsewhere) }
        #expect(refused.allSatisfy { $0.admission == .tooMany } && count.value == 7)
        // Who is refused takes no room, and leaves none.
        table.close(refused[0])
        #expect(table.open(socket: -1, from: Self.here).admission == .tooMany)
        table.close(open[1])
        #expect(count.value == 6)
        #expect(table.open(socket: -1, from: Self.elsewhere).admission == .admitted)
        #expect(table.open(socket: -1, from: Self.elsewhere).admission == .tooMany)
        #expect(count.value == 8)
    }

    @Test func `as many of one address as the limit says are admitted, others beside them`() {
        let (table, _) = Self.table { $0.connectionsPerAddress = 2 }
        let open = (0..<2).map { _ in table.open(socket: -1, from: Self.here) }
        #expect(open.allSatisfy { $0.admission == .admitted })
        let refused = table.open(socket: -1, from: Self.here)
        #expect(refused.admission == .tooManyFromAddress)
        #expect(table.open(socket: -1, from: Self.elsewhere).admission == .admitted)
        table.close(refused)
        #expect(table.open(socket: -1, from: Self.here).admission == .tooManyFromAddress)
        table.close(open[0])
        #expect(table.open(socket: -1, from: Self.here).admission == .admitted)
        #expect(table.open(socket: -1, from: Self.here).admission == .tooManyFromAddress)
    }

    @Test func `an address is forgotten with its last connection`() {
        let (table, _) = Self.table { $0.connectionsPerAddress = 2 }
        let open = [Self.here, Self.here, Self.elsewhere].map { table.open(socket: -1, from: $0) }
        let refused = table.open(socket: -1, from: Self.here)
        #expect(table.addressCount == 2)
        table.close(open[0])
        table.close(refused)
        table.close(open[2])
        #expect(table.addressCount == 1)
        table.close(open[1])
        #expect(table.addressCount == 0)
    }

    @Test func `a proxy may have more, and without a limit all may`() throws {
        let block = try #require(AddressBlock("10.0.0.0/8"))
        let (table, _) = Self.table {
            $0.connectionsPerAddress = 1
            $0.proxies = [block]
        }
        for _ in 0..<3 {
            #expect(table.open(socket: -1, from: Self.elsewhere).admission == .admitted)
        }
        let (free, _) = Self.table { $0.connectionsPerAddress = nil }
        for _ in 0..<300 {
            #expect(free.open(socket: -1, from: Self.here).admission == .admitted)
        }
    }

    @Test func `a deadline is passed only after it, and moves with each request`() {
        let (table, _) = Self.table { $0.secondsToAsk = 30 }
        let connection = table.open(socket: -1, from: Self.here, at: Self.start)
        #expect(!connection.isBusy && !table.hasBusyConnections)
        func isOverdue(_ seconds: UInt64, _ nanoseconds: UInt64 = 0) -> Bool {
            connection.isOverdue(
                at: Instant(nanoseconds: (5 + seconds) * 1_000_000_000 + nanoseconds))
        }
        #expect(!isOverdue(30) && isOverdue(30, 1))
        connection.begin(until: Self.start.advanced(bySeconds: 120))
        #expect(connection.isBusy && table.hasBusyConnections)
        #expect(!isOverdue(120) && isOverdue(120, 1))
        connection.end(nextRequestUntil: Self.start.advanced(bySeconds: 150))
        #expect(!connection.isBusy && !table.hasBusyConnections)
        #expect(!isOverdue(150) && isOverdue(150, 1))
    }

    @Test func `those who took too long are cut, and no others`() {
        let (table, _) = Self.table { $0.secondsToAsk = 30 }
        let (slow, quick) = (SocketPair(), SocketPair())
        _ = table.open(socket: slow.server, from: Self.here, at: Self.start)
        _ = table.open(
            socket: quick.server, from: Self.here, at: Self.start.advanced(bySeconds: 1))
        table.cutOverdue(at: Self.start.advanced(bySeconds: 30))
        #expect(slow.received == nil)
        table.cutOverdue(at: Self.start.advanced(bySeconds: 31))
        #expect(slow.received == "" && quick.received == nil)
    }

    @Test func `who is past a limit and silent is soon told, without a request`() throws {
        let (table, _) = Self.table { $0.connections = 1 }
        _ = table.open(socket: -1, from: Self.here, at: Self.start)
        let (silent, asking) = (SocketPair(), SocketPair())
        _ = table.open(socket: silent.server, from: Self.here, at: Self.start)
        let busy = table.open(socket: asking.server, from: Self.here, at: Self.start)
        busy.begin(until: Self.start.advanced(bySeconds: 100))
        table.cutOverdue(at: Self.start.advanced(bySeconds: Limits.secondsToAskPastLimit))
        #expect(silent.received == nil)
        table.cutOverdue(at: Self.start.advanced(bySeconds: 1 + Limits.secondsToAskPastLimit))
        let words = try #require(silent.received)
        #expect(words.hasPrefix("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n"))
        #expect(words.contains("Retry-After: 1\r\nContent-Length: 32\r\n"))
        #expect(words.hasSuffix("\r\n\r\n{\"error\":\"too many connections\"}"))
        #expect(asking.received == nil)
        // An answer on its way is not mixed with other words.
        table.cutOverdue(at: Self.start.advanced(bySeconds: 101))
        #expect(asking.received == "")
    }

    @Test func `of many past a limit the oldest is told at once, but none that is answered`() {
        let (table, _) = Self.table { $0.connectionsPerAddress = 0 }
        var limits = Limits()
        limits.connectionsPerAddress = 0
        let most = limits.connectionsPastLimit
        let pairs = (0..<most + 3).map { _ in SocketPair() }
        let connections = pairs.prefix(most).map { table.open(socket: $0.server, from: Self.here) }
        #expect(pairs.allSatisfy { $0.received == nil })
        connections[0].begin(until: Self.start.advanced(bySeconds: 1_000_000))
        _ = table.open(socket: pairs[most].server, from: Self.here)
        #expect(pairs[0].received == nil && pairs[2].received == nil)
        #expect(pairs[1].received?.contains("connections from your address") == true)
        table.close(connections[2])
        _ = table.open(socket: pairs[most + 1].server, from: Self.here)
        #expect(pairs[3].received == nil)
        _ = table.open(socket: pairs[most + 2].server, from: Self.here)
        #expect(pairs[3].received != nil && pairs[4].received == nil)
    }
}

/// Two ends of a connection.
final class SocketPair {
    let server: Int32
    private let client: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        socketpair(AF_UNIX, kind, 0, &ends)
        (server, client) = (ends[0], ends[1])
    }

    deinit {
        close(server)
        close(client)
    }

    /// What arrived, once the server has ended the connection; nil as long as it is open.
    var received: String? {
        var bytes = [UInt8](repeating: 0, count: 1 << 12)
        var text = ""
        while true {
            let count = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count < 0 { return nil }
            if count == 0 { return text }
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
    }
}
