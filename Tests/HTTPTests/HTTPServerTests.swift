import HTTP
import Synchronization
import Testing

struct HTTPServerTests {
    static func server(
        limits: Limits = Limits(), answer: @escaping @Sendable (Request) -> Response = Self.echo
    ) throws -> HTTPServer {
        try HTTPServer(
            at: ListeningSocket(host: "127.0.0.1", port: 0), limits: limits, answer: answer)
    }

    @Sendable static func echo(_ request: Request) -> Response {
        let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return Response(
            .ok, headers: [.init("X-Test", "yes")],
            body: Payload("[\(request.method) \(request.path) \(query)]"))
    }

    static func ask(_ text: String, of server: borrowing HTTPServer) -> String {
        ask(text, of: server.port)
    }

    static func ask(_ text: String, of port: Int) -> String {
        let client = RawClient(port: port)
        client.send(text)
        return client.receive()
    }

    static let close = "Host: a\r\nConnection: close\r\n\r\n"

    @Test func `a request reaches the answer with its escapes untouched`() throws {
        let server = try Self.server()
        let answer = Self.ask("GET /a%2Fb%00/%2e?x=%41&y HTTP/1.1\r\n\(Self.close)", of: server)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("X-Test: yes\r\n"))
        #expect(answer.hasSuffix("[get /a%2Fb%00/%2e x=%41&y=]"))
    }

    @Test func `HEAD has the length of the body but no body`() throws {
        let server = try Self.server()
        let answer = Self.ask("HEAD / HTTP/1.1\r\n\(Self.close)", of: server)
        #expect(answer.contains("Content-Length: 9\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    @Test func `304 tells the length of the body but sends none, 204 tells nothing`() throws {
        let server = try Self.server { request in
            request.path == "/known"
                ? Response(.notModified, body: Payload("four")) : Response(.noContent)
        }
        let known = Self.ask("GET /known HTTP/1.1\r\n\(Self.close)", of: server)
        #expect(known.contains("Content-Length: 4\r\n") && known.hasSuffix("\r\n\r\n"))
        let nothing = Self.ask("GET / HTTP/1.1\r\n\(Self.close)", of: server)
        #expect(!nothing.contains("Content-Length") && nothing.hasSuffix("\r\n\r\n"))
    }

    @Test func `pipelined requests are answered in their order`() throws {
        let server = try Self.server()
        let requests = (0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
        let answers = Self.ask(requests + "GET /end HTTP/1.1\r\n\(Self.close)", of: server)
        let found = answers.matches(of: /\[get \/(\d+) \]/).compactMap { Int($0.1) }
        #expect(found == Array(0..<50))
        #expect(answers.hasSuffix("[get /end ]"))
    }

    @Test(arguments: BadRequest.all)
    func `a bad request is refused and the server goes on`(request: BadRequest) throws {
        let server = try Self.server()
        let client = RawClient(port: server.port)
        client.send(request.text)
        #expect(client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 \(request.status)"))
        #expect(Self.ask("GET / HTTP/1.1\r\n\(Self.close)", of: server).contains(" 200 OK"))
    }

    @Test(arguments: [
        ("GET /\(String(repeating: "a", count: 5_000)) HTTP/1.1\r\n", 414, "a path has at most"),
        (
            "GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 9_000))\r\n", 431,
            "headers have at most"
        ),
    ])
    func `a request that is too long is told why`(
        start: String, status: Int, reason: String
    ) throws {
        let server = try Self.server()
        let answer = Self.ask("\(start)Host: a\r\n\r\n", of: server)
        #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
        #expect(answer.contains("Content-Type: application/json\r\n"))
        #expect(answer.contains(#"{"error":""#) && answer.contains(reason))
        // The same request would be refused again.
        #expect(answer.contains("Cache-Control: no-store\r\n") && !answer.contains("Retry-After"))
    }

    @Test func `a plain GET is answered quickly where that is possible`() throws {
        let common = HeaderSet([.init("X-Test", "common"), .init("Content-Type", "text/plain")])
        let server = try HTTPServer(
            at: ListeningSocket(host: "127.0.0.1", port: 0), limits: Limits(),
            quickAnswer: { path, encoding in
                guard path.count == 6, encoding.count == 4 else { return nil }
                return Response(
                    .ok, common: common, tag: EntityTag(mark: 0xAB, letter: "g"),
                    body: Payload("quick"))
            }, answer: Self.echo)
        func ask(_ method: String, _ path: String, _ headers: String) -> String {
            Self.ask("\(method) \(path) HTTP/1.1\r\n\(headers)\r\n\(Self.close)", of: server)
        }
        let quick = ask("GET", "/quick", "Accept-Encoding: gzip")
        #expect(quick.hasSuffix("\r\n\r\nquick") && quick.contains("ETag: \"abg\"\r\n"))
        #expect(quick.contains("X-Test: common\r\nContent-Type: text/plain\r\n"))
        let gzip = "Accept-Encoding: gzip"
        #expect(ask("GET", "/other-path", gzip).hasSuffix("[get /other-path ]"))
        #expect(ask("GET", "/quick", "Accept: gzip").hasSuffix("[get /quick ]"))
        #expect(ask("OPTIONS", "/quick", gzip).hasSuffix("[options /quick ]"))
        #expect(ask("GET", "/quick", "\(gzip)\r\nIf-None-Match: \"a\"").hasSuffix("[get /quick ]"))
        #expect(!ask("HEAD", "/quick", gzip).contains("quick"))
    }

    @Test func `a client that dribbles its request is cut off`() throws {
        var limits = Limits()
        limits.secondsToAsk = 1
        let server = try Self.server(limits: limits)
        let client = RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\n")
        let start = ContinuousClock.now
        // Each byte comes well within libmicrohttpd's own time-out.
        while client.send("X") && start.duration(to: .now) < .seconds(10) {
            _ = try? Self.pause(milliseconds: 200)
        }
        #expect(start.duration(to: .now) < .seconds(8))
        #expect(Self.ask("GET / HTTP/1.1\r\n\(Self.close)", of: server).contains(" 200 OK"))
    }

    @Test func `connections past the limit are told so`() throws {
        var limits = Limits()
        limits.connections = 3
        let count = ConnectionCount()
        let server = try HTTPServer(
            at: ListeningSocket(host: "127.0.0.1", port: 0), limits: limits, counting: count,
            answer: Self.echo)
        let held = HeldClients(count: 3, port: server.port)
        let refused = Self.ask("GET / HTTP/1.1\r\n\(Self.close)", of: server)
        #expect(refused.contains(" 503 ") && refused.contains("Retry-After: "))
        #expect(refused.hasSuffix(#"{"error":"too many connections"}"#))
        #expect(count.value >= 3)
        held.close()
        // The server notices on its own time.
        for _ in 0..<100 where count.value > 0 { try Self.pause(milliseconds: 20) }
        #expect(count.value == 0)
        #expect(Self.ask("GET / HTTP/1.1\r\n\(Self.close)", of: server).contains(" 200 OK"))
    }

    @Test func `one address cannot take all connections, unless it is a proxy`() throws {
        var limits = Limits()
        limits.connectionsPerAddress = 2
        let request = "GET / HTTP/1.1\r\n\(Self.close)"
        do {
            let server = try Self.server(limits: limits)
            let held = HeldClients(count: 2, port: server.port)
            #expect(Self.ask(request, of: server).contains(" 503 "))
            held.close()
        }
        limits.proxies = [try #require(AddressBlock("127.0.0.0/8"))]
        let server = try Self.server(limits: limits)
        let held = HeldClients(count: 2, port: server.port)
        #expect(Self.ask(request, of: server).contains(" 200 OK"))
        held.close()
    }

    @Test func `draining sends what was asked for and takes nothing new`() throws {
        let asked = Mutex(false)
        let server = try Self.server { _ in
            asked.withLock { $0 = true }
            _ = try? Self.pause(milliseconds: 500)
            return Response(.ok, body: Payload("slow"))
        }
        let port = server.port
        let answer = Self.askInBackground("GET / HTTP/1.1\r\nHost: a\r\n\r\n", port: port)
        try ServerOverTimeTests.wait { asked.withLock { $0 } }
        let isOver = server.drain(seconds: 5)
        #expect(isOver)
        let text = answer.wait()
        #expect(text.hasSuffix("slow") && text.contains("Connection: close"))
        let late = RawClient(port: port)
        #expect(!late.send("GET / HTTP/1.1\r\n\(Self.close)") || late.receive().isEmpty)
    }

    @Test func `clients that abort do no harm`() throws {
        let server = try Self.server()
        for round in 0..<100 {
            let client = RawClient(port: server.port)
            if round % 3 > 0 { client.send("GET / HTTP/1.1\r\nHost: a\r\n") }
            if round % 3 > 1 { client.send("\r\n") }
            client.abort()
        }
        #expect(Self.ask("GET / HTTP/1.1\r\n\(Self.close)", of: server).contains(" 200 OK"))
    }

    @Test func `a port that is taken is an error that says so`() throws {
        let server = try Self.server()
        let port = server.port
        #expect(throws: HTTPError.self) {
            _ = try HTTPServer(
                at: ListeningSocket(host: "127.0.0.1", port: port), limits: Limits(),
                answer: Self.echo)
        }
        #expect(throws: HTTPError.unknownHost("no such host")) {
            _ = try HTTPServer(
                at: ListeningSocket(host: "no such host", port: 0), limits: Limits(),
                answer: Self.echo)
        }
    }
}
