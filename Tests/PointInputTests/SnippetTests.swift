import TestSupport
import Testing

@testable import PointInput

struct SnippetTests {
    @Test func `a snippet shows so many characters, and spells out what cannot be seen`() {
        // How each piece is written; what is no UTF-8 byte by byte.
        let pieces: [([UInt8], String)] = [
            (Array("a".utf8), "a"), (Array("é".utf8), "é"), (Array("😀".utf8), "😀"),
            (Array("\n".utf8), "\\n"), (Array("\r".utf8), "\\r"), (Array("\t".utf8), "\\t"),
            ([0], "\\x00"), ([0x1B], "\\x1b"), ([0x7F], "\\x7f"), ([0xFF], "\\xff"),
            ([0xC3, 0x28], "\\xc3("), (Array("\u{85}".utf8), "\\u{85}"),
            (Array("\u{202E}".utf8), "\\u{202e}"), (Array("\u{2028}".utf8), "\\u{2028}"),
        ]
        var random = SeededRandom(seed: 1)
        for _ in 0..<300 {
            let length = random.next() % 14
            let chosen = (0..<length).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
            let counts = chosen.map { $0.0 == [0xC3, 0x28] ? 2 : 1 }
            let (bytes, count) = (chosen.flatMap(\.0), counts.reduce(0, +))
            let whole = "“" + chosen.map(\.1).joined() + "”"
            #expect(Snippet.of(bytes.span, limit: count) == whole)
            guard count > 0 else { continue }
            let cut = Snippet.of(bytes.span, limit: count - 1)
            #expect(cut.hasSuffix("…”") && whole.hasPrefix(cut.dropLast(2)))
            let last = chosen[chosen.count - 1]
            let rest = last.1 == "\\xc3(" ? "(" : last.1
            #expect(cut.dropLast(2) == whole.dropLast(1).dropLast(rest.count))
        }
        #expect(Snippet.of(String(repeating: "a", count: 40)).count == 42)
        #expect(Snippet.of(String(repeating: "a", count: 41)).hasSuffix("a…”"))
        #expect(Snippet.bytes([0, 15, 16, 255].span) == "00 0f 10 ff")
        #expect(Snippet.bytes([UInt8](repeating: 1, count: 13).span).hasSuffix("01 …"))
        #expect(Snippet.bytes([UInt8](repeating: 1, count: 12).span).hasSuffix("01 01"))
    }
}
