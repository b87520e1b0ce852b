import CLibrary
import Foundation
import HTTP
import Platform
import TestSupport
import Testing

/// What is read from a request's texts, against a second, plain reading of random ones.
struct RandomTextTests {
    static func text(_ random: inout SeededRandom, of pieces: [String], most: Int) -> String {
        (0..<(random.next() % UInt64(most + 1)))
            .map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
    }

    @Test func `an authority is a name or a literal, and perhaps a port`() throws {
        var random = SeededRandom(seed: 1)
        let host = try Regex(#"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{0,5})?"#)
        let pieces = [
            "a", "Z", "0", "9", ":", ".", "-", "_", "[", "]", "f", "g", "G", "@", "/", "`", "{",
        ]
        var found = 0
        for _ in 0..<3_000 {
            var text = Self.text(&random, of: pieces, most: 6)
            if random.next() % 4 == 0 { text += ":\(65_500 + random.next() % 80)" }
            let port = text.wholeMatch(of: /.*:(\d+)/).flatMap { Int($0.1) }
            let isGood = try host.wholeMatch(in: text) != nil && (port ?? 0) <= 65_535
            #expect(Authority.isValid(text) == isGood, "\(text)")
            found += isGood ? 1 : 0
            let target = "http://\(text)/p?q"
            let request = Request(.get, target)
            if isGood {
                #expect(request.headers.host == text && request.path == "/p?q")
            } else if !text.contains("/") {
                #expect(request.headers.host == nil && request.path == target)
            }
        }
        #expect(found > 200)
    }

    @Test func `a range names the bytes that a count of them one by one finds`() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<2_000 {
            let count = Int(random.next() % 8)
            let (first, last) = (Int(random.next() % 10), Int(random.next() % 10))
            let all = Array(0..<count)
            let kind = random.next() % 3
            let header = ["bytes=\(first)-\(last)", "bytes=\(first)-", "bytes=-\(last)"][Int(kind)]
            let wanted: [Int]? =
                switch kind {
                case 0: last < first ? nil : all.filter { first...last ~= $0 }
                case 1: all.filter { $0 >= first }
                default: all.suffix(last)
                }
            let answer = ByteRangeRequest(header, of: count)
            switch wanted {
            case nil: #expect(answer == .whole, "\(header) of \(count)")
            case []?: #expect(answer == .unsatisfiable, "\(header) of \(count)")
            case let wanted?:
                #expect(
                    answer == .part(wanted[0]..<wanted[0] + wanted.count), "\(header) of \(count)")
            }
        }
    }

    /// Addresses as the system's library writes and reads them, and blocks bit by bit.
    @Test func `a block holds an address whose first bits are the same`() throws {
        var random = SeededRandom(seed: 3)
        for round in 0..<600 {
            let isV4 = round % 2 == 0
            let width = isV4 ? 32 : 128
            let bytes = (0..<width / 8).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let bits = Int(random.next() % UInt64(width + 1))
            var other = bytes
            let flipped = Int(random.next() % UInt64(width))
            if round % 3 > 0 { other[flipped / 8] ^= 128 >> UInt8(flipped % 8) }
            let block = try #require(AddressBlock("\(Self.text(bytes))/\(bits)"))
            let address = try #require(IPAddress(Self.text(other)))
            #expect(block.contains(address) == (round % 3 == 0 || flipped >= bits))
            let single = try #require(AddressBlock(Self.text(bytes)))
            #expect(single.contains(address) == (bytes == other))
            #expect(IPAddress(address.description) == address)
            if isV4 { #expect(address.description == Self.text(other)) }
            // An address of the other family has none of the same bits, but where no bit counts.
            let foreign = try #require(IPAddress(isV4 ? "2001:db8::1" : "10.0.0.1"))
            if isV4 || bits > 16 { #expect(!block.contains(foreign)) }
        }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: 64)
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self)
    }

    @Test func `a tag is named by a list that has it, strong or weak`() {
        var random = SeededRandom(seed: 4)
        let tag = EntityTag(mark: 0x1F, letter: "g")
        let pieces = ["\"1fg\"", "W/\"1fg\"", "\"1f\"", "*", "", "w/\"1fg\"", "\"1fgg\"", "1fg"]
        for _ in 0..<1_000 {
            let parts = (0...random.next() % 3).map { _ in pieces[Int(random.next() % 8)] }
            let header = parts.map { Self.text(&random, of: [" ", "\t"], most: 2) + $0 }
                .joined(separator: Self.text(&random, of: [" ", "\t"], most: 1) + ",")
            let isNamed = parts.contains { pieces[..<2].contains($0) || $0 == "*" }
            #expect(tag.isNamed(in: header) == isNamed, "\(header)")
        }
    }

    @Test func `bytes of tokens and of values are those that the standard lists`() {
        let signs = Set("!#$%&'*+-.^_`|~".utf8)
        for byte in UInt8.min...(.max) {
            let isAlphanumeric =
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            #expect(
                RequestFraming.isToken([97, byte].span) == (isAlphanumeric || signs.contains(byte)))
            #expect(
                RequestFraming.isPlain([97, byte].span) == (byte == 9 || byte >= 32 && byte != 127))
        }
    }
}

/// What a server does with requests that are put together at random.
struct RandomRequestTests {
    /// A line of a head, and the status that it leads to by itself.
    private static let lines: [(text: String, status: Int)] = [
        ("", 200), ("X: y\r\n", 200), ("X:\r\n", 200), ("Content-Length: 00\r\n", 200),
        ("Content-Length: 10\r\n", 413), ("Transfer-Encoding: chunked\r\n", 413),
        ("Content-Length: 1x\r\n", 400), ("Transfer-Encoding: gzip\r\n", 400),
        ("X : y\r\n", 400), ("X: y\n", 400), ("X: a\u{2}\r\n", 400), ("X@: y\r\n", 400),
    ]

    @Test func `the worst line of a head decides`() throws {
        var random = SeededRandom(seed: 5)
        let server = try HTTPServerTests.server()
        for _ in 0..<150 {
            let chosen = (0..<3).map { _ in Self.lines[Int(random.next() % 12)] }
            let head = chosen.map(\.text).joined()
            let framings = ["Content-Length", "Transfer-Encoding"].map {
                head.components(separatedBy: $0).count - 1
            }
            let isTwofold = framings.reduce(0, +) > 1
            let worst = chosen.map(\.status).first { $0 == 400 } ?? chosen.map(\.status).max() ?? 0
            let status = isTwofold ? 400 : worst
            let answer = HTTPServerTests.ask(
                "GET /first HTTP/1.1\r\n\(head)Host: a\r\n\r\nGET /second HTTP/1.1\r\n"
                    + HTTPServerTests.close, of: server)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(head): \(answer)")
            #expect(answer.contains("[get /second ]") == (status == 200), "\(head): \(answer)")
            #expect(answer.contains("[get /first ]") == (status == 200))
        }
    }

    @Test func `a quick answer is asked for plain GETs alone`() throws {
        let server = try HTTPServer(
            at: ListeningSocket(host: "127.0.0.1", port: 0), limits: Limits(),
            quickAnswer: { path, encoding in
                Response(.ok, body: Payload("quick \(path.count) \(encoding.count)"))
            }, answer: HTTPServerTests.echo)
        let methods = ["GET", "HEAD", "GEX", "XET", "GXT", "GE", "GETT", "OPTIONS"]
        for (index, method) in (methods + methods).enumerated() {
            let isConditional = index >= methods.count
            let answer = HTTPServerTests.ask(
                "\(method) /ab?c HTTP/1.1\r\nAccept-Encoding: gzip\r\n"
                    + (isConditional ? "If-None-Match: \"x\"\r\n" : "") + HTTPServerTests.close,
                of: server)
            #expect(
                answer.hasSuffix("quick 3 4") == (method == "GET" && !isConditional), "\(method)")
            #expect(answer.contains(" 200 OK"))
        }
    }

    /// Parts of a file go out as the bytes that it has there, and a file that was closed still does.
    @Test func `a part of a file is sent to the byte`() throws {
        let path = "/tmp/covey-payload-\(getpid())"
        defer { unlink(path) }
        let bytes = (0..<3_000).map { UInt8(97 + $0 % 23) }
        try File.write(bytes.span, toNew: path)
        for range in [0..<1, 0..<3_000, 17..<2_999, 2_999..<3_000, 5..<5] {
            let payload = try Payload(range, of: File(reading: path))
            #expect(payload.count == range.count && payload.span.count == 0)
            let server = try HTTPServerTests.server { _ in Response(.ok, body: payload) }
            for _ in 0..<2 {
                let answer = HTTPServerTests.ask(
                    "GET / HTTP/1.1\r\n\(HTTPServerTests.close)", of: server)
                let text = String(decoding: bytes[range], as: UTF8.self)
                #expect(answer.contains("Content-Length: \(range.count)\r\n"))
                #expect(answer.hasSuffix("\r\n\r\n\(text)"))
            }
        }
        #expect(Payload("abc").count == 3 && Array(Payload("abc").span.indices) == [0, 1, 2])
    }
}
