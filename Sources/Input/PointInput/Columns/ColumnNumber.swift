/// Converts numbers without native types to numbers that tiles can hold.
enum ColumnNumber {
    /// A whole number of any length, divided by a power of ten: the nearest number to that.
    static func decimal(_ bytes: Span<UInt8>, scale: Int, isBigEndian: Bool) -> Double {
        guard !bytes.isEmpty else { return .nan }
        func byte(_ index: Int) -> UInt8 {
            bytes[isBigEndian ? index : bytes.count - 1 - index]
        }
        let isNegative = byte(0) >= 0x80
        func digit(_ index: Int) -> UInt64 { UInt64(isNegative ? ~byte(index) : byte(index)) }
        var (magnitude, isLarge): (UInt64, Bool) = (0, false)
        for index in 0..<bytes.count {
            isLarge = isLarge || magnitude >> 56 != 0
            magnitude = magnitude << 8 | digit(index)
        }
        // All bits of a negative number are inverted, which gives one less.
        if !isLarge, magnitude < 1 << 53, exactPowers.indices.contains(scale) {
            let number = Double(magnitude + (isNegative ? 1 : 0)) / exactPowers[scale]
            return isNegative ? -number : number
        }
        // Words of the magnitude, the least first.
        var words = [UInt64](repeating: 0, count: bytes.count / 8 + 1)
        for index in 0..<bytes.count {
            let place = bytes.count - 1 - index
            words[place / 8] |= digit(index) << (8 * UInt64(place % 8))
        }
        var carry = isNegative
        for index in words.indices where carry {
            words[index] &+= 1
            carry = words[index] == 0
        }
        return Double("\(isNegative ? "-" : "")\(digits(of: words))e\(-scale)") ?? .nan
    }

    /// Powers of ten up to here are exact, so one rounding is left.
    private static let exactPowers = (0...22).map { scale in
        (0..<scale).reduce(1.0) { power, _ in power * 10 }
    }

    /// The decimal digits of a number in words, the least first.
    private static func digits(of words: [UInt64]) -> String {
        var (words, digits) = (words, "")
        repeat {
            var rest: UInt64 = 0
            for index in words.indices.reversed() {
                (words[index], rest) = digitsOfWord.dividingFullWidth((rest, words[index]))
            }
            while words.last == 0 { words.removeLast() }
            let text = "\(rest)"
            let zeros = words.isEmpty ? 0 : 19 - text.utf8.count
            digits = String(repeating: "0", count: zeros) + text + digits
        } while !words.isEmpty
        return digits
    }

    /// The greatest power of ten in a word: 19 digits.
    private static let digitsOfWord: UInt64 = 10_000_000_000_000_000_000

    static func uuid(_ bytes: Span<UInt8>) -> String {
        var text = ""
        for index in bytes.indices {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += (bytes[index] < 16 ? "0" : "") + String(bytes[index], radix: 16)
        }
        return text
    }
}
