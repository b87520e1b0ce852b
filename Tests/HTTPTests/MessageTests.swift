import CLibrary
import HTTP
import Testing

struct MessageTests {
    static let tag = EntityTag(mark: 0xAB, letter: "g")

    @Test(arguments: [
        ("\"abg\"", true), ("W/\"abg\"", true), ("*", true), ("\"x\", \"abg\"", true),
        ("\"abg\" , \"x\"", true), ("\t\"abg\"\t", true), ("  \"abg\"  ", true),
        ("\"x\",\t W/\"abg\" \t,\"y\"", true), ("", false), ("\"abi\"", false), ("abg", false),
        ("w/\"abg\"", false), ("W/", false), ("W/\"abi\"", false), ("X\"abg\"", false),
        ("\"abg\"\"", false), ("**", false), ("\"x\", *", true), ("x/\"abg\"", false),
    ])
    func `a tag is found where a header names it`(header: String, isNamed: Bool) {
        #expect(Self.tag.isNamed(in: header) == isNamed)
    }

    @Test func `a tag is written in quotes`() {
        #expect(Self.tag.text == "\"abg\"" && EntityTag(mark: 0, letter: "i").text == "\"0i\"")
        #expect(EntityTag(mark: .max, letter: "g").text == "\"ffffffffffffffffg\"")
    }

    @Test func `a header is found by its name in any case, the common ones first`() {
        let response = Response(
            .ok, common: HeaderSet([.init("Common", "c"), .init("Twice", "1")]), tag: Self.tag,
            headers: [.init("Own", "o"), .init("twice", "2")])
        #expect(response.value(of: "COMMON") == "c" && response.value(of: "own") == "o")
        #expect(response.value(of: "twice") == "1" && response.value(of: "etag") == "\"abg\"")
        #expect(response.value(of: "other") == nil)
        #expect(Response(.ok).value(of: "ETag") == nil)
    }

    @Test func `each header that is looked at arrives, and the address of the client`() throws {
        let server = try HTTPServerTests.server { request in
            let headers = request.headers
            let all = [
                headers.acceptEncoding, headers.ifNoneMatch, headers.host, headers.origin,
                headers.forwardedFor, headers.forwardedHost, headers.forwardedPrefix,
                headers.forwardedProto,
            ].map { $0 ?? "none" }.joined(separator: ",")
            return Response(.ok, body: Payload("\(all),\(request.peer)"))
        }
        let client = RawClient(port: server.port, from: "127.0.0.3")
        client.send(
            """
            GET / HTTP/1.1\r
            Accept-Encoding: 1\r
            If-None-Match: 2\r
            Host: 3\r
            Origin: 4\r
            X-Forwarded-For: 5\r
            X-Forwarded-Host: 6\r
            x-forwarded-prefix: 7\r
            X-FORWARDED-PROTO: 8\r
            \r

            """)
        #expect(client.receive(until: "127.").hasSuffix("1,2,3,4,5,6,7,8,127.0.0.3"))
        let bare = HTTPServerTests.ask("GET / HTTP/1.1\r\n\(HTTPServerTests.close)", of: server)
        #expect(bare.hasSuffix("none,none,a,none,none,none,none,none,127.0.0.1"))
    }

    @Test func `lines of one name are one list, in their order`() throws {
        let server = try HTTPServerTests.server { request in
            Response(.ok, body: Payload("[\(request.headers.forwardedFor ?? "")]"))
        }
        let lines =
            "X-Forwarded-For: 1, 2\r\nX-Other: 3\r\nx-forwarded-for:\r\nX-Forwarded-For: 4\r\n"
        let answer = HTTPServerTests.ask(
            "GET / HTTP/1.1\r\n\(lines)\(HTTPServerTests.close)", of: server)
        #expect(answer.hasSuffix("[1, 2, , 4]"))
    }

    @Test(arguments: [
        ("/?" + Array(repeating: "a=1", count: 300).joined(separator: "&"), "", 200),
        ("/", String(repeating: "a: \(String(repeating: "b", count: 20))\r\n", count: 180), 200),
        ("/", "X: \(String(repeating: "a", count: 12_000))\r\n", 431),
    ])
    func `heads of many parts are answered`(target: String, lines: String, status: Int) throws {
        let answer = HTTPServerTests.ask(
            "GET \(target) HTTP/1.1\r\n\(lines)\(HTTPServerTests.close)",
            of: try HTTPServerTests.server())
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test func `an answer without a body has no length but 0`() throws {
        let server = try HTTPServerTests.server { request in
            Response(.ok, body: request.path == "/none" ? nil : Payload(""))
        }
        for path in ["/none", "/empty"] {
            let answer = HTTPServerTests.ask(
                "GET \(path) HTTP/1.1\r\n\(HTTPServerTests.close)", of: server)
            #expect(answer.contains("Content-Length: 0\r\n") && answer.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func `methods are told apart by the letter`() throws {
        let server = try HTTPServerTests.server()
        for (method, name) in [
            ("GET", "get"), ("OPTIONS", "options"), ("get", "other"), ("PUT", "other"),
            ("GETS", "other"),
        ] {
            let answer = HTTPServerTests.ask(
                "\(method) / HTTP/1.1\r\n\(HTTPServerTests.close)", of: server)
            #expect(answer.hasSuffix("[\(name) / ]"), "\(method)")
        }
    }

    @Test func `the other end's address is that of its family`() {
        var v4 = sockaddr_in()
        v4.sin_family = sa_family_t(AF_INET)
        v4.sin_addr.s_addr = UInt32(0x0A00_0007).bigEndian
        var v6 = sockaddr_in6()
        v6.sin6_family = sa_family_t(AF_INET6)
        inet_pton(AF_INET6, "2001:db8::1:2", &v6.sin6_addr)
        var local = sockaddr()
        local.sa_family = sa_family_t(AF_UNIX)
        func address<Socket>(_ socket: Socket) -> String {
            withUnsafePointer(to: socket) { socket in
                socket.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    IPAddress(of: $0).description
                }
            }
        }
        #expect(address(v4) == "10.0.0.7" && address(v6) == "2001:db8:0:0:0:0:1:2")
        #expect(address(local) == "127.0.0.1" && IPAddress(of: nil) == .loopback)
    }

    @Test(arguments: [
        ("2001:db8:0:1::/64", "2001:db8:0:1:ffff::", true),
        ("2001:db8:0:1::/64", "2001:db8::", false),
        ("2001:db8:0:1::/63", "2001:db8::", true), ("2001:db8::/65", "2001:db8::8000:0:0:0", false),
        ("2001:db8::/65", "2001:db8::7fff:0:0:0", true), ("128.0.0.0/1", "255.0.0.1", true),
        ("128.0.0.0/1", "127.255.255.255", false), ("10.0.0.6/31", "10.0.0.7", true),
        ("10.0.0.6/31", "10.0.0.8", false), ("10.0.0.6/32", "10.0.0.7", false),
        ("::1/128", "::1", true), ("::/1", "8000::", false), ("::/1", "7fff::", true),
    ])
    func `a block ends at its bits`(block: String, address: String, holds: Bool) throws {
        let block = try #require(AddressBlock(block))
        #expect(block.contains(try #require(IPAddress(address))) == holds)
    }
}
