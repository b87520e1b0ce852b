/// Converts numbers without native types to numbers that tiles can hold.
enum ColumnNumber {
    /// A whole number of any length, divided by a power of ten; exact if tiles can hold it.
    static func decimal(_ bytes: Span<UInt8>, scale: Int, isBigEndian: Bool) -> Double {
        guard !bytes.isEmpty else { return .nan }
        func byte(_ index: Int) -> UInt8 {
            bytes[isBigEndian ? index : bytes.count - 1 - index]
        }
        let isNegative = byte(0) >= 0x80
        var (magnitude, isLarge): (UInt64, Bool) = (0, false)
        var number = 0.0
        for index in 0..<bytes.count {
            let digit = isNegative ? ~byte(index) : byte(index)
            isLarge = isLarge || magnitude >> 56 != 0
            magnitude = magnitude << 8 | UInt64(digit)
            number = number * 256 + Double(digit)
        }
        // All bits of a negative number are inverted, which gives one less.
        number = isLarge ? number : Double(magnitude + (isNegative && magnitude < .max ? 1 : 0))
        return (isNegative ? -number : number) / power(of: scale)
    }

    /// A power of ten, which is exact up to 22.
    private static func power(of scale: Int) -> Double {
        var power = 1.0
        for _ in 0..<min(max(scale, 0), 400) { power *= 10 }
        for _ in 0..<min(max(-scale, 0), 400) { power /= 10 }
        return power
    }

    static func uuid(_ bytes: Span<UInt8>) -> String {
        var text = ""
        for index in bytes.indices {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += (bytes[index] < 16 ? "0" : "") + String(bytes[index], radix: 16)
        }
        return text
    }
}
