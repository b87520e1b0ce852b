/// The fixed Huffman codes of deflate (RFC 1951, 3.2.6) with their extra bits, ready to be written:
/// the bits start at the lowest, and bits 24 and up hold their count.
@safe
final class FixedCodes {
    /// The greatest distance of a copy in streams written with these codes.
    static let farthest = 1_024
    static let longest = 258

    /// The codes of literals, of lengths of copies, and of distances. The memory is never freed.
    let literals: UnsafePointer<UInt32>
    let lengths: UnsafePointer<UInt32>
    let distances: UnsafePointer<UInt32>

    static let all = FixedCodes()

    private init() {
        unsafe literals = Self.kept(
            (0..<256).map { literal in
                literal < 144
                    ? Self.code(0b0011_0000 + literal, bits: 8)
                    : Self.code(0b1_1001_0000 + literal - 144, bits: 9)
            })
        unsafe lengths = Self.kept(Self.lengthCodes)
        unsafe distances = Self.kept(Self.distanceCodes)
    }

    private static func kept(_ codes: [UInt32]) -> UnsafePointer<UInt32> {
        let kept = UnsafeMutablePointer<UInt32>.allocate(capacity: codes.count)
        for (index, code) in codes.enumerated() { unsafe (kept + index).initialize(to: code) }
        return unsafe UnsafePointer(kept)
    }

    private static var lengthCodes: [UInt32] {
        var lengths = [UInt32](repeating: 0, count: Self.longest + 1)
        var length = 3
        for symbol in 257..<285 {
            let code =
                symbol < 280
                ? code(symbol - 256, bits: 7) : code(0b1100_0000 + symbol - 280, bits: 8)
            let extraBits = symbol < 265 ? 0 : (symbol - 261) / 4
            for extra in 0..<(1 << extraBits) where length + extra <= Self.longest {
                lengths[length + extra] = Self.code(code, followedBy: extra, bits: extraBits)
            }
            length += 1 << extraBits
        }
        // The greatest length has its own symbol.
        lengths[Self.longest] = Self.code(0b1100_0101, bits: 8)
        return lengths
    }

    private static var distanceCodes: [UInt32] {
        var distances: [UInt32] = [0]
        for symbol in 0..<30 where distances.count <= Self.farthest {
            let extraBits = max(symbol / 2 - 1, 0)
            let code = Self.code(symbol, bits: 5)
            for extra in 0..<(1 << extraBits) {
                distances.append(Self.code(code, followedBy: extra, bits: extraBits))
            }
        }
        return distances
    }

    /// Huffman codes are written with the highest bit first.
    private static func code(_ code: Int, bits: Int) -> UInt32 {
        let reversed = (0..<bits).reduce(0) { $0 << 1 | code >> $1 & 1 }
        return UInt32(bits) << 24 | UInt32(reversed)
    }

    private static func code(_ code: UInt32, followedBy extra: Int, bits: Int) -> UInt32 {
        let length = code >> 24
        return (length + UInt32(bits)) << 24 | code & 0xFF_FFFF | UInt32(extra) << length
    }
}

// The tables are not written to once they are made.
extension FixedCodes: @unchecked Sendable {}
