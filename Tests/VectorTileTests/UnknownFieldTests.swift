import MessageTiles
import TestSupport
import Testing
import VectorTile

/// Fields that a later version of the format may bring are skipped, wherever they stand.
struct UnknownFieldTests {
    private static func varint(_ number: Int) -> [UInt8] {
        number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
    }

    /// A field that no message of a tile has, of each wire type.
    private static func unknown(_ random: inout SeededRandom) -> [UInt8] {
        let field = 16 + Int(random.next() % 300)
        return switch random.next() % 4 {
        case 0: varint(field << 3) + varint(Int(random.next() >> 2))
        case 1: varint(field << 3 | 1) + [UInt8](repeating: 0x1A, count: 8)
        case 2: varint(field << 3 | 2) + [4, 0x1A, 2, 0x78, 2]
        default: varint(field << 3 | 5) + [0x1A, 0x1A, 0x1A, 0x1A]
        }
    }

    /// A message with unknown fields between its own, and between those of the messages in it:
    /// layers in a tile, features and values in a layer.
    private static func strewn(
        _ message: ArraySlice<UInt8>, within inner: [Int: [Int]], _ random: inout SeededRandom
    ) -> [UInt8] {
        var (rest, out) = (message, [UInt8]())
        func number() -> Int {
            var (value, shift) = (0, 0)
            while let byte = rest.popFirst() {
                value |= Int(byte & 0x7F) << shift
                if byte < 0x80 { break }
                shift += 7
            }
            return value
        }
        while !rest.isEmpty {
            if random.next() % 3 == 0 { out += unknown(&random) }
            let tag = number()
            out += varint(tag)
            guard tag & 7 == 2 else {
                let start = rest
                switch tag & 7 {
                case 0: _ = number()
                case 1: rest = rest.dropFirst(8)
                default: rest = rest.dropFirst(4)
                }
                out += start.prefix(start.count - rest.count)
                continue
            }
            let count = number()
            var payload = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            if let fields = inner[tag >> 3] {
                let below = Dictionary(uniqueKeysWithValues: fields.map { ($0, [Int]()) })
                payload = strewn(payload[...], within: below, &random)
            }
            out += varint(payload.count) + payload
        }
        return out + unknown(&random)
    }

    @Test func `a tile with fields of another version holds what it holds without them`() throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<40 {
            let bytes = Tile.random(using: &random).packed()
            let more = Self.strewn(bytes[...], within: [3: [2]], &random)
            #expect(more.count > bytes.count)
            #expect(try Tile(inPlace: more.span) == Tile(inPlace: bytes.span))
        }
    }
}
