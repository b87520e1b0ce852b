import TestSupport
import Testing

@testable import PointInput

/// Text of other encodings that comes a few bytes at a time, so that characters are cut.
struct RecodedStreamTests {
    /// Gives its bytes a few at a time.
    private final class Dripping: ByteStream {
        private var rest: ArraySlice<UInt8>
        private let count: Int

        init(_ bytes: [UInt8], count: Int) { (rest, self.count) = (bytes[...], count) }

        func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
            let next = rest.prefix(min(count, buffer.count))
            buffer.copyBytes(from: next)
            rest = rest.dropFirst(next.count)
            return next.count
        }
    }

    private static func read(
        _ bytes: [UInt8], _ name: String, count: Int, room: Int
    ) throws -> [UInt8] {
        let encoding = try #require(TextEncoding(named: name))
        let stream = try RecodedStream(Dripping(bytes, count: count), encoding, name: "a.csv")
        var (text, some) = ([UInt8](), [UInt8](repeating: 0, count: room))
        while true {
            let count = try some.withUnsafeMutableBytes { try stream.fill($0) }
            if count == 0 { return text }
            text += some[..<count]
        }
    }

    private static let text = "x,y é 漢字 😀 end — ".unicodeScalars.map { $0 }

    private static func wide(_ scalars: [Unicode.Scalar], isBig: Bool) -> [UInt8] {
        String(String.UnicodeScalarView(scalars)).utf16.flatMap { unit in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isBig ? bytes : bytes.reversed()
        }
    }

    @Test(arguments: [1, 2, 3, 5, 7, 64], [1, 3, 100])
    func `a character that is cut is whole with the next bytes`(count: Int, room: Int) throws {
        var random = SeededRandom(seed: UInt64(count) + 920)
        let scalars = (0..<60).map { _ in Self.text.randomElement(using: &random)! }
        let wanted = Array(String(String.UnicodeScalarView(scalars)).utf8)
        for (name, isBig) in [("UTF-16LE", false), ("UTF-16BE", true)] {
            let bytes = Self.wide(scalars, isBig: isBig)
            #expect(try Self.read(bytes, name, count: count, room: room) == wanted)
        }
        #expect(
            try Self.read([0x61, 0xE9, 0xFC, 0x0A], "ISO-8859-1", count: count, room: room)
                == Array("aéü\n".utf8))
    }

    @Test(arguments: [1, 2, 3, 64])
    func `half a character at the end is told`(count: Int) {
        let bytes = Self.wide(Array("ab😀".unicodeScalars), isBig: true)
        for cut in [1, 2, 3] {
            #expect(throws: InputError.self) {
                try Self.read(Array(bytes.dropLast(cut)), "UTF-16BE", count: count, room: 10)
            }
        }
    }
}
