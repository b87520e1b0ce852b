import TestSupport
import Testing

@testable import PointInput

/// Where values end by their brackets, held against a scan that goes byte by byte.
struct StructureScanTests {
    private struct Ends: Equatable {
        var last: Int?
        var closing: Int?
    }

    /// The same by a plain reading: a backslash in a string hides the next byte, and no string spans lines.
    private static func ends(_ bytes: [UInt8], from start: Int, stopsAtFirst: Bool) -> Ends {
        var ends = Ends()
        var (depth, isInString, isHidden) = (0, false, false)
        for index in bytes.indices.dropFirst(start) {
            let character = Character(Unicode.Scalar(bytes[index]))
            if isHidden {
                isHidden = false
            } else if isInString {
                isHidden = character == "\\"
                if character == "\"" || character == "\n" { isInString = false }
            } else if character == "\"" {
                isInString = true
            } else if "{[".contains(character) {
                depth += 1
            } else if "}]".contains(character) {
                depth -= 1
                if depth == 0 { ends.last = index + 1 }
                if depth < 0 { ends.closing = index }
                // Behind the first value it may go on to the end of a group.
                if depth < 0 || depth == 0 && stopsAtFirst { return ends }
            }
        }
        return ends
    }

    private static func expectSame(_ text: [UInt8], from start: Int = 0) {
        var block = ByteBlock(capacity: text.count)
        block.assign(text)
        for stopsAtFirst in [false, true] {
            let scan = StructureScan(block.cursor(at: start), stopsAtFirst: stopsAtFirst)
            var found = Ends(last: scan.lastEnd, closing: scan.closing)
            if stopsAtFirst, found.last != nil { found.closing = nil }
            let wanted = ends(text, from: start, stopsAtFirst: stopsAtFirst)
            #expect(found == wanted, "\(String(decoding: text, as: UTF8.self)) from \(start)")
        }
    }

    @Test(arguments: UInt64(0)..<8)
    func `values end where a look at each byte has them end`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // Few brackets that close, so that values get long; and few quotes, so that strings do.
        let letters = Array(#"{{[[}]""\\ab,:"#.utf8) + [0x0A]
        let plain = Array("abcdefgh ,:{}[]".utf8)
        for _ in 0..<250 {
            let count = Int.random(in: 0...90, using: &random)
            let text = (0..<count).map { _ in
                (random.next() % 3 == 0 ? letters : plain).randomElement(using: &random)!
            }
            Self.expectSame(text, from: Int.random(in: 0...count, using: &random))
        }
    }

    /// In a group of sixteen bytes, at its ends, and where the text itself ends.
    @Test func `a backslash hides the quote behind it wherever it stands`() {
        for fill in 0..<34 {
            let letters = String(repeating: "a", count: fill)
            for text in [
                #"{"\#(letters)\"}"}"#, #"{"\#(letters)\\"}"#, #"{"\#(letters)\\\"}"} {}"#,
                #"{"\#(letters)\"#, #"[{}, "\#(letters)\"#, #"{\"\#(letters)"}"#,
            ] {
                Self.expectSame(Array(text.utf8))
                Self.expectSame(Array(text.utf8), from: 1)
            }
        }
    }
}
