/// Finds the bytes with a property in a word of eight. A mask has the top bit of each such byte
/// set; only its lowest set bit is exact, which is enough for a search.
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

    /// The number of leading bytes that are decimal digits, 0 to 8.
    @inline(__always)
    static func digitCount(_ word: UInt64) -> Int {
        // A digit's upper half is 3, and stays so with 6 added; nothing carries out of a digit.
        let low = word ^ (ones &* 0x30)
        let others = (low | (low &+ ones &* 6)) & (ones &* 0xF0)
        return others.trailingZeroBitCount >> 3
    }

    /// The number written in the first 1 to 8 bytes, all of them digits.
    ///
    /// Neighbours are combined into numbers of two, four and eight digits, all at once.
    @inline(__always)
    static func number(_ word: UInt64, digits count: Int) -> UInt64 {
        // Leading zeros replace the missing digits.
        var value = (word ^ (ones &* 0x30)) &<< UInt64(64 &- 8 &* count)
        value = (value &* 10 &+ (value >> 8)) & 0x00FF_00FF_00FF_00FF
        value = (value &* 100 &+ (value >> 16)) & 0x0000_FFFF_0000_FFFF
        return (value &* 10_000 &+ (value >> 32)) & 0xFFFF_FFFF
    }

    /// The number of bytes before the first marked one.
    @inline(__always)
    static func firstIndex(_ mask: UInt64) -> Int { mask.trailingZeroBitCount >> 3 }
}
