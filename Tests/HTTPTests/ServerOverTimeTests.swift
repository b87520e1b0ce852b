import CLibrary
import Dispatch
import HTTP
import Synchronization
import Testing

/// What a server does as time goes on and clients come and go; time is given, not waited for.
struct ServerOverTimeTests {
    static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test(arguments: [(4_096, 200), (4_097, 414)])
    func `a path has its limit to the byte`(length: Int, status: Int) throws {
        let server = try HTTPServerTests.server()
        let path = "/" + String(repeating: "a", count: length - 1)
        let answer = HTTPServerTests.ask(
            "GET \(path) HTTP/1.1\r\n\(HTTPServerTests.close)", of: server)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test(arguments: [(8_192, 200), (8_193, 431)])
    func `a head has its limit to the byte`(length: Int, status: Int) throws {
        let server = try HTTPServerTests.server()
        let rest = "GET / HTTP/1.1\r\nX: \r\n\(HTTPServerTests.close)"
        let padding = String(repeating: "a", count: length - rest.utf8.count)
        let answer = HTTPServerTests.ask(
            "GET / HTTP/1.1\r\nX: \(padding)\r\n\(HTTPServerTests.close)", of: server)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test func `an idle deadline is renewed by each answer, and a fetch has its own`() throws {
        var limits = Limits()
        (limits.secondsToAsk, limits.secondsToFetch) = (100, 10_000)
        let table = Mutex<ConnectionTable?>(nil)
        let start = Instant.now
        func cut(after seconds: Int) {
            table.withLock { $0 }?.cutOverdue(at: start.advanced(bySeconds: seconds))
        }
        let server = try HTTPServerTests.server(limits: limits) { request in
            table.withLock { $0 }?.cutOverdue(at: start.advanced(bySeconds: 9_900))
            return HTTPServerTests.echo(request)
        }
        table.withLock { $0 = server.connections }
        let client = RawClient(port: server.port)
        for _ in 0..<2 {
            client.send(Self.request)
            #expect(client.receive(until: "]").hasSuffix("[get / ]"))
            try Self.wait { !server.connections.hasBusyConnections }
            cut(after: 99)
        }
        cut(after: 10_000)
        #expect(client.receive().isEmpty)
    }

    @Test func `a connection counts until it closes, to the last`() throws {
        let count = ConnectionCount()
        let server = try HTTPServer(
            at: ListeningSocket(host: "127.0.0.1", port: 0), limits: Limits(), counting: count,
            answer: HTTPServerTests.echo)
        let held = HeldClients(count: 5, port: server.port)
        #expect(count.value == 5)
        let one = RawClient(port: server.port)
        one.send("GET / HTTP/1.1\r\n\(HTTPServerTests.close)")
        #expect(one.receive().contains(" 200 OK"))
        try Self.wait { count.value == 5 }
        held.close()
        try Self.wait { count.value == 0 }
        #expect(!server.connections.hasBusyConnections)
    }

    static func wait(until condition: () -> Bool) throws {
        for _ in 0..<1_000 where !condition() { try HTTPServerTests.pause(milliseconds: 5) }
        #expect(condition())
    }

    @Test func `who is past a limit may ask after the server's health, once`() throws {
        var limits = Limits()
        limits.connectionsPerAddress = 2
        limits.unlimitedPaths = ["/health"]
        let server = try HTTPServerTests.server(limits: limits)
        let held = HeldClients(count: 2, port: server.port)
        let health = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
        let answer = HTTPServerTests.ask(health + health, of: server)
        #expect(answer.contains(" 200 OK") && answer.contains("Connection: close\r\n"))
        #expect(answer.split(separator: "[get /health ]").count == 1)
        for path in ["/", "/healt", "/health/", "/healthy"] {
            let refused = HTTPServerTests.ask(
                "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n", of: server)
            #expect(refused.hasPrefix("HTTP/1.1 503 "))
            #expect(refused.hasSuffix(#"{"error":"too many connections from your address"}"#))
        }
        held.close()
    }

    @Test func `many connections of one address are refused aloud and leave room for others`()
        throws
    {
        var limits = Limits()
        limits.connections = 40
        limits.connectionsPerAddress = 10
        limits.unlimitedPaths = ["/health"]
        let count = ConnectionCount()
        let server = try HTTPServer(
            at: ListeningSocket(host: "127.0.0.1", port: 0), limits: limits, counting: count,
            answer: HTTPServerTests.echo)
        // They connect and say nothing: the first ten stay, of the others the oldest are told.
        var silent: [ClientBox] = []
        for _ in 0..<100 { silent.append(ClientBox(port: server.port)) }
        for refused in silent[10..<80] {
            #expect(refused.client.receive().hasPrefix("HTTP/1.1 503 "))
        }
        for path in ["/", "/health"] {
            let client = RawClient(port: server.port, from: "127.0.0.2")
            client.send("GET \(path) HTTP/1.1\r\n\(HTTPServerTests.close)")
            #expect(client.receive().contains(" 200 OK"))
        }
        #expect(count.value <= 40)
    }

    @Test func `a thread that is stuck in an answer does not keep the server from ending`()
        throws
    {
        let isAsked = Mutex(false)
        let release = DispatchSemaphore(value: 0)
        let server = try HTTPServerTests.server { _ in
            isAsked.withLock { $0 = true }
            release.wait()
            return Response(.ok)
        }
        let client = RawClient(port: server.port)
        client.send(Self.request)
        try Self.wait { isAsked.withLock { $0 } }
        let isOver = server.drain(seconds: 0)
        #expect(!isOver)
        release.signal()
    }

    @Test func `who is still sent an answer when time is up is cut`() throws {
        let bytes = [UInt8](repeating: 7, count: 32 << 20)
        let payload = Payload(bytes)
        let server = try HTTPServerTests.server { _ in Response(.ok, body: payload) }
        let client = RawClient(port: server.port)
        client.send(Self.request)
        #expect(client.receive(until: "\r\n\r\n").contains(" 200 OK"))
        #expect(server.connections.hasBusyConnections)
        let isOver = server.drain(seconds: 0)
        #expect(isOver)
        #expect(client.receive().utf8.count < bytes.count)
    }
}

/// A client in an array.
final class ClientBox {
    let client: RawClient

    init(port: Int) { client = RawClient(port: port) }
}
