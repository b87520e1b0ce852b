import HTTP
import Testing

/// Requests that two readers could read in two ways. Each is followed by a second request, which
/// must not be answered: the connection ends with the refusal.
struct FramingTests {
    static let second = "GET /second HTTP/1.1\r\nHost: a\r\n\r\n"

    static func answers(to request: String) throws -> String {
        let server = try HTTPServerTests.server()
        return HTTPServerTests.ask(request + second, of: server)
    }

    @Test(arguments: [
        "Content-Length: 5\r\nContent-Length: 5", "Content-Length: 0\r\ncontent-length: 0",
        "Content-Length : 0", "Content-Length\t: 0",
        "Transfer-Encoding : chunked", "Transfer-Encoding\t: chunked",
        "Transfer-Encoding: chu nked", "Transfer-Encoding: xchunked",
        "Transfer-Encoding: identity", "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: gzip, chunked", "Transfer-Encoding:",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 0", "Host: b", "hOST: a", "X: a\nY: b",
        "X: a\r\n b", "X: a\r\n\tb", "X: a\rb", "X: a\u{0}b", "X\u{0}: a", "X: \u{0}\u{0}Y: b",
        "X: a\u{0}\u{0}Y\u{0} b", "X: a\u{1}", "X: a\u{7F}", "X Y: a", "X(Y): a", ": a", "Xé: a",
        "no colon",
    ])
    func `a head with two readings is refused, and what follows is not read`(
        header: String
    ) throws {
        let text = try Self.answers(to: "GET / HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\n")
        #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
        #expect(text.contains("Connection: close\r\n"))
        #expect(
            !text.contains("second") && text.split(separator: "HTTP/1.1 ").count == 1, "\(text)")
    }

    /// libmicrohttpd refuses these by itself, and version 0.9.75 says so twice.
    @Test(arguments: ["5, 5", "+0", "-0", "0x0", "0 0", "", "18446744073709551616"])
    func `a length that is no number is refused, and what follows is not read`(
        length: String
    ) throws {
        let text = try Self.answers(
            to: "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n")
        let answers = text.split(separator: "HTTP/1.1 ")
        #expect(answers.count > 0 && answers.allSatisfy { $0.hasPrefix("4") }, "\(text)")
        #expect(text.contains("Connection: close\r\n") && !text.contains("second"))
    }

    @Test(arguments: [
        "GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\n", "GET / HTTP/1.1\nHost: a\n\n",
        "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /  HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a\u{0}b HTTP/1.1\r\nHost: a\r\n\r\n", "GET /?a\u{0}b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /\u{0} HTTP/1.1\r\nHost: a\r\n\r\n", "GE\u{0}T / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n",
        "G(T / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.9\r\n\r\n", "GET /\r\n\r\n", "GET / http/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.0\n\n", "GET / HTTP/1.0\r\n\n",
    ])
    func `a line that is none is refused, and what follows is not read`(request: String) throws {
        let text = try Self.answers(to: request)
        #expect(text.hasPrefix("HTTP/1.1 400 "), "\(text)")
        #expect(text.contains("Connection: close\r\n"))
        #expect(
            !text.contains("second") && text.split(separator: "HTTP/1.1 ").count == 1, "\(text)")
    }

    @Test(arguments: [
        "Content-Length: 5", "Content-Length: 05", "Transfer-Encoding: chunked",
        "transfer-encoding: Chunked",
    ])
    func `a request with a body is told so and not kept alive`(header: String) throws {
        let text = try Self.answers(to: "GET / HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\n12345")
        #expect(text.hasPrefix("HTTP/1.1 413 ") && text.contains("Connection: close\r\n"))
        #expect(
            !text.contains("second") && text.split(separator: "HTTP/1.1 ").count == 1, "\(text)")
    }

    @Test(arguments: [
        "", "Content-Length: 0\r\n", "Content-Length: 000\r\n", "X:\r\n", "X: \r\nY:\t\r\n",
        "X: a \r\n", "X: a\tb\r\n", "X: é\r\n", "Cookie: a=b; c=d\r\n", "x!#$%&'*+-.^_`|~09: a\r\n",
        "Hosts: b\r\n", "Content-Lengths: x\r\n",
    ])
    func `a proper head is answered, and what follows too`(header: String) throws {
        let server = try HTTPServerTests.server()
        let text = HTTPServerTests.ask(
            "GET /a?x=1&y=%00+2 HTTP/1.1\r\nHost: a\r\n\(header)\r\n"
                + "GET /second HTTP/1.1\r\n\(HTTPServerTests.close)", of: server)
        #expect(
            text.contains("[get /a x=1&y=%00 2]") && text.hasSuffix("[get /second ]"), "\(text)")
    }

    @Test func `a token has a letter at least, and a value no control character but the tab`() {
        func isToken(_ text: String) -> Bool { RequestFraming.isToken(Array(text.utf8).span) }
        func isPlain(_ text: String) -> Bool { RequestFraming.isPlain(Array(text.utf8).span) }
        #expect(!isToken("") && isToken("a") && isToken("~") && isToken("!") && !isToken("a b"))
        #expect(!isToken("é") && !isToken("a\u{7F}") && !isToken("a:") && !isToken("@"))
        #expect(isPlain("") && isPlain("a\tb é~") && !isPlain("a\u{1F}") && !isPlain("\u{7F}"))
    }

    @Test func `an old request needs no host, and a hundred headers are read`() throws {
        let server = try HTTPServerTests.server()
        #expect(HTTPServerTests.ask("GET / HTTP/1.0\r\n\r\n", of: server).contains(" 200 OK"))
        let many = (0..<100).map { "X-\($0): \($0)\r\n" }.joined()
        let request = "\r\nGET / HTTP/1.1\r\n\(many)\(HTTPServerTests.close)"
        #expect(HTTPServerTests.ask(request, of: server).contains(" 200 OK"))
    }

    @Test func `a head that comes byte by byte is read as one`() throws {
        let server = try HTTPServerTests.server()
        for (header, status) in [("X: y\r\n", 200), ("X: y\n", 400), ("Host: b\r\n", 400)] {
            let client = RawClient(port: server.port)
            for character in "GET /a HTTP/1.1\r\nHost: a\r\n\(header)".unicodeScalars {
                client.send(String(character))
            }
            client.send("Connection: close\r\n\r\n")
            #expect(client.receive().hasPrefix("HTTP/1.1 \(status) "))
        }
    }
}
