/// Eight bytes at a time in a word: which of them have a property. A mask has the top bit of each
/// byte in question; only its lowest set bit is exact, which is all that a search needs.
enum WordMask {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let tops: UInt64 = 0x8080_8080_8080_8080

    /// The bytes that equal `byte`.
    @inline(__always)
    static func of(_ byte: UInt8, in word: UInt64) -> UInt64 {
        let difference = word ^ (ones &* UInt64(byte))
        return (difference &- ones) & ~difference & tops
    }

    /// The bytes below `limit`, which is at most 0x80.
    @inline(__always)
    static func below(_ limit: UInt8, in word: UInt64) -> UInt64 {
        (word &- ones &* UInt64(limit)) & ~word & tops
    }

    /// How many bytes come before the first in question.
    @inline(__always)
    static func firstIndex(_ mask: UInt64) -> Int { mask.trailingZeroBitCount >> 3 }
}
