import Dispatch
import HTTP
import Synchronization
import Testing

/// Answers that take long, and large ones.
struct LongAnswerTests {
    /// A service whose answers to `/long` wait until they may be made.
    final class Service: Sendable {
        let mayEnd = DispatchSemaphore(value: 0)
        let begun = Atomic(0)

        @Sendable func answer(_ request: Request) -> Response {
            guard request.path == "/long" else { return HTTPServerTests.echo(request) }
            guard request.mayTakeLong else { return .later }
            begun.wrappingAdd(1, ordering: .relaxed)
            mayEnd.wait()
            return Response(.ok, body: Payload("long"))
        }

        var count: Int { begun.load(ordering: .relaxed) }
    }

    private static let long = "GET /long HTTP/1.1\r\n\(HTTPServerTests.close)"
    private static let short = "GET / HTTP/1.1\r\n\(HTTPServerTests.close)"

    @Test(arguments: [1, 3]) func `answers that take long keep no other waiting`(
        threads: Int
    ) throws {
        let service = Service()
        var limits = Limits()
        limits.threads = threads
        let server = try HTTPServerTests.server(limits: limits, answer: service.answer)
        let most = max(threads - 1, 1)
        let answers = (0..<10).map { _ in
            HTTPServerTests.askInBackground(Self.long, port: server.port)
        }
        try ServerOverTimeTests.wait { service.count == most }
        for _ in 0..<5 {
            #expect(HTTPServerTests.ask(Self.short, of: server).hasSuffix("[get / ]"))
        }
        #expect(service.count == most)
        for _ in answers { service.mayEnd.signal() }
        for answer in answers { #expect(answer.wait().hasSuffix("\r\n\r\nlong")) }
        #expect(service.count == 10)
    }

    @Test func `a connection goes on after an answer that took long`() throws {
        let service = Service()
        let server = try HTTPServerTests.server(answer: service.answer)
        for _ in 0..<3 { service.mayEnd.signal() }
        let requests = ["/long", "/1", "/long", "/long"].map {
            "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n"
        }
        let answer = HTTPServerTests.ask(requests.joined() + Self.short, of: server)
        #expect(
            answer.matches(of: /\r\n\r\n(long|\[get \/1? \])/).map { String($0.1) }
                == ["long", "[get /1 ]", "long", "long", "[get / ]"])
    }

    @Test func `addresses take turns`() throws {
        let line = AnswerLine(threads: 1)
        let done = Mutex<[String]>([])
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for (address, name) in [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (2, "b2"), (3, "c1")] {
            let peer = try #require(IPAddress("10.0.0.\(address)"))
            let isAdded = line.add(for: peer) {
                done.withLock { $0.append(name) }
                guard name == "a1" else { return }
                begun.signal()
                mayEnd.wait()
            }
            #expect(isAdded)
            if name == "a1" { begun.wait() }
        }
        mayEnd.signal()
        line.finish()
        #expect(done.withLock { $0 } == ["a1", "a2", "b1", "c1", "a3", "b2"])
        let isAdded = line.add(for: try #require(IPAddress("10.0.0.1"))) {}
        #expect(!isAdded)
    }

    @Test func `no answer is made for a client that has gone`() throws {
        let service = Service()
        let server = try HTTPServerTests.server(answer: service.answer)
        let first = HTTPServerTests.askInBackground(Self.long, port: server.port)
        try ServerOverTimeTests.wait { service.count == 1 }
        for _ in 0..<5 {
            let client = RawClient(port: server.port)
            client.send(Self.long)
            #expect(HTTPServerTests.ask(Self.short, of: server).contains(" 200 OK"))
        }
        // For all, so that the test ends if they are made.
        for _ in 0..<7 { service.mayEnd.signal() }
        #expect(first.wait().hasSuffix("long"))
        #expect(HTTPServerTests.ask(Self.long, of: server).hasSuffix("long"))
        #expect(service.count == 2)
    }

    @Test(arguments: [true, false]) func `a server that ends first makes the answers that wait`(
        drains: Bool
    ) throws {
        let service = Service()
        let server = try HTTPServerTests.server(answer: service.answer)
        let port = server.port
        let clients = (0..<3).map { _ in HTTPServerTests.HeldClient(port: port, Self.long) }
        try ServerOverTimeTests.wait { service.count == 1 }
        // All have been read by then.
        #expect(HTTPServerTests.ask(Self.short, of: port).hasSuffix("[get / ]"))
        for _ in clients { service.mayEnd.signal() }
        if drains {
            let isDrained = server.drain(seconds: 10)
            #expect(isDrained)
        } else {
            Self.end(server)
        }
        #expect(service.count == 3)
        for client in clients { #expect(client.receive().hasSuffix("long") || !drains) }
    }

    private static func end(_ server: consuming HTTPServer) {}

    @Test func `a server that must end does not wait for an answer that is stuck`() throws {
        let service = Service()
        let server = try HTTPServerTests.server(answer: service.answer)
        let answers = (0..<3).map { _ in
            HTTPServerTests.askInBackground(Self.long, port: server.port)
        }
        try ServerOverTimeTests.wait { service.count == 1 }
        let isDrained = server.drain(seconds: 0)
        #expect(!isDrained)
        for _ in answers { service.mayEnd.signal() }
        for answer in answers { _ = answer.wait() }
        #expect(service.count == 1)
    }

    @Test func `large answers are refused while too many are in memory, small ones are not`()
        throws
    {
        var limits = Limits()
        limits.bytesOfAnswers = 0
        for (bytes, status) in [
            (Limits.bytesOfLargeAnswer, 200), (Limits.bytesOfLargeAnswer + 1, 503),
        ] {
            let server = try HTTPServerTests.server(limits: limits) { _ in
                Response(.ok, body: Payload([UInt8](repeating: 97, count: bytes)))
            }
            let answer = HTTPServerTests.ask(Self.short, of: server)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
            #expect(answer.contains("Retry-After: ") == (status == 503))
        }
    }

    @Test func `an answer counts until it is sent`() throws {
        var limits = Limits()
        limits.bytesOfAnswers = 40 << 20
        let server = try HTTPServerTests.server(limits: limits) { _ in
            Response(.ok, body: Payload([UInt8](repeating: 97, count: 8 << 20)))
        }
        for _ in 0..<8 {
            #expect(HTTPServerTests.ask(Self.short, of: server).utf8.count > 8 << 20)
        }
        // Clients that do not read.
        let held = (0..<8).map { _ in HTTPServerTests.HeldClient(port: server.port, Self.short) }
        try ServerOverTimeTests.wait {
            HTTPServerTests.ask(Self.short, of: server).hasPrefix("HTTP/1.1 503 ")
        }
        withExtendedLifetime(held) {}
    }
}
