import HTTP
import Testing

/// What names a server, in `Host` and in targets; and what every answer says.
struct HostTests {
    static let good = [
        "a", "a.example", "a-b_c.example:8080", "127.0.0.1:1", "[::1]", "[2001:db8::7]:443", "a:",
        "a:65535", "A.EXAMPLE", String(repeating: "a", count: 255),
    ]
    static let bad = [
        "", "a@b", "u:p@a", "a/b", "a?b", "a b", "a,b", "[::1", "::1", "[]", "[g]", "[::1]x", ":80",
        "a:b", "a:65536", "a:000080", "a:80:80", "é", "a%41", "a\\b", "<a>",
        String(repeating: "a", count: 256),
    ]

    @Test(arguments: good) func `a host is one`(text: String) throws {
        #expect(Authority.isValid(text))
        let server = try HTTPServerTests.server()
        let answer = HTTPServerTests.ask(
            "GET / HTTP/1.1\r\nHost: \(text)\r\nConnection: close\r\n\r\n", of: server)
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }

    @Test(arguments: bad) func `what is no host is refused, and so is the request`(
        text: String
    ) throws {
        #expect(!Authority.isValid(text))
        for version in ["1.1", "1.0"] {
            let answer = try FramingTests.answers(
                to: "GET / HTTP/\(version)\r\nHost: \(text)\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            #expect(answer.contains("is not a valid host") && !answer.contains("second"))
        }
    }

    @Test func `the authority of a whole address counts, and not the header`() throws {
        let server = try HTTPServerTests.server { request in
            Response(.ok, body: Payload("[\(request.headers.host ?? "") \(request.path)]"))
        }
        for (target, found) in [
            ("http://a.example:81/x?y", "[a.example:81 /x]"), ("HTTPS://b", "[b /]"),
            ("/x", "[a /x]"), ("http://a@b/x", "[a http://a@b/x]"), ("http:///x", "[a http:///x]"),
        ] {
            let answer = HTTPServerTests.ask(
                "GET \(target) HTTP/1.1\r\n\(HTTPServerTests.close)", of: server)
            #expect(answer.hasSuffix(found), "\(target): \(answer)")
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
        ("OPTIONS / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx", 413),
        ("GET /\(String(repeating: "a", count: 5_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 9_000))\r\nHost: a\r\n\r\n", 431),
    ])
    func `every answer forbids browsers to guess its type`(request: String, status: Int) throws {
        let answer = HTTPServerTests.ask(request, of: try HTTPServerTests.server())
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        #expect(answer.contains("X-Content-Type-Options: nosniff\r\n"), "\(answer)")
    }

    @Test func `who is past a limit and asks nothing is told so with the same headers`() throws {
        var limits = Limits()
        limits.connections = 1
        let server = try HTTPServerTests.server(limits: limits)
        let first = RawClient(port: server.port)
        first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = first.receive(until: "]")
        let second = RawClient(port: server.port)
        // So many more come that the first of them is told at once.
        let others = HeldClients(
            count: limits.connectionsPastLimit + 1, port: server.port, areSilent: true)
        let answer = second.receive()
        others.close()
        #expect(answer.hasPrefix("HTTP/1.1 503 "))
        #expect(answer.contains("X-Content-Type-Options: nosniff\r\n"))
    }

    @Test func `another version of HTTP is refused`() throws {
        let answer = HTTPServerTests.ask(
            "GET / HTTP/2.0\r\nHost: a\r\n\r\n", of: try HTTPServerTests.server())
        #expect(answer.hasPrefix("HTTP/1.1 505 "), "\(answer)")
    }
}
