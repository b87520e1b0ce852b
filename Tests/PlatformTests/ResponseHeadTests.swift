import Testing

@testable import Platform

/// What curl tells of a response, in pieces of any size.
struct ResponseHeadTests {
    private static func head(_ lines: [String], piece: Int = 7) -> ResponseHead {
        let bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)
        var head = ResponseHead()
        for start in stride(from: 0, to: bytes.count, by: piece) {
            head.append(bytes[start..<min(start + piece, bytes.count)])
        }
        return head
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK", "200 OK", true, true), ("HTTP/2 206", "206", true, false),
        ("HTTP/2 206 Partial Content", "206 Partial Content", true, false),
        ("HTTP/1.1 404 Not Found", "404 Not Found", false, false), ("HTTP/1.1", "", false, false),
        ("HTTP/1.1 302 Found", "302 Found", false, false),
    ])
    func `a status says whether there is a file, and whether all of it`(
        line: String, status: String, isSuccess: Bool, isWhole: Bool
    ) {
        for piece in [1, 5, 1_000] {
            let head = Self.head([line], piece: piece)
            #expect(head.status == status && head.isSuccess == isSuccess && head.isWhole == isWhole)
        }
    }

    @Test func `of several responses the last counts, but for what curl said before`() {
        let head = Self.head([
            "HTTP/1.1 302 Found", "Content-Length: 5", "ETag: \"a\"",
            "curl: (22) it went wrong here", "",
            "HTTP/1.1 200 OK", "content-LENGTH:  0", "Last-Modified: yesterday", "",
        ])
        #expect(
            head.contentLength == 0 && head.tag == "yesterday"
                && head.message == "it went wrong here")
        #expect(ResponseHead().status == "nothing" && ResponseHead().tag == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("1", 1), ("123456", 123_456), ("-1", nil), ("x", nil), ("", nil),
            ("1 2", nil),
        ] as [(String, Int?)])
    func `a length is a number of bytes`(text: String, length: Int?) {
        #expect(Self.head(["HTTP/2 200", "Content-Length: \(text)"]).contentLength == length)
    }

    @Test(
        arguments: [
            ("bytes 0-0/1", 0..<1, 1), ("bytes 5-9/10", 5..<10, 10), ("BYTES 5-8/10", 5..<9, 10),
            ("bytes 5-10/10", nil, nil), ("bytes 6-5/10", nil, nil), ("bytes 0-4/*", nil, nil),
            ("lines 0-4/9", nil, nil), ("bytes 0-4", nil, nil), ("bytes 0-4/9/9", nil, nil),
            ("bytes 0-1/1152921504606846975", 0..<2, 1_152_921_504_606_846_975),
            ("bytes 0-1/1152921504606846976", nil, nil),
        ] as [(String, Range<Int>?, Int?)])
    func `a range lies within the whole`(text: String, range: Range<Int>?, total: Int?) {
        let head = Self.head(["HTTP/2 206", "content-range: \(text)"])
        #expect(head.range == range && head.total == total)
    }

    @Test func `a strong tag marks a state before a date does, and a weak one does not`() {
        let date = "last-modified: d"
        #expect(Self.head(["HTTP/2 200", "etag: \"a\"", date]).tag == "\"a\"")
        #expect(Self.head(["HTTP/2 200", "etag: W/\"a\"", date]).tag == "d")
        #expect(Self.head(["HTTP/2 200", "etag: W/\"a\""]).tag == nil)
    }

    @Test(arguments: [(4_095, true), (4_096, true), (4_097, false)])
    func `no more of a line is kept than any needs`(length: Int, isWhole: Bool) {
        let name = "etag: "
        let value = String(repeating: "x", count: length - name.count)
        let tag = Self.head(["HTTP/2 200", name + value], piece: 1_000).tag
        #expect((tag == value) == isWhole && tag?.count == min(length, 4_096) - name.count)
    }
}
