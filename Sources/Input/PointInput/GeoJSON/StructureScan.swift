/// Finds the ends of JSON values by their brackets alone, many times faster than parsing.
///
/// It processes sixteen bytes at a time: which of them are quotes, brackets, and inside strings.
/// Only where a value may end, or where that is uncertain (a backslash, a newline in a string),
/// does it go byte by byte. Square and curly brackets count alike; the parser checks whether they
/// match.
struct StructureScan {
    /// The index after the last value that ended, if one did.
    private(set) var lastEnd: Int?
    /// The bracket that closes the array around all the values, if it was found.
    private(set) var closing: Int?

    private var depth = 0
    private var isInString = false

    /// Scans values from the cursor's offset to its end, or to the closing bracket.
    init(_ bytes: ByteCursor, stopsAtFirst: Bool = false) {
        var index = bytes.offset
        while index < bytes.end, closing == nil, !stopsAtFirst || lastEnd == nil {
            if bytes.end - index >= 16, pass(bytes.group(at: index)) {
                index += 16
            } else {
                index = step(bytes, from: index, to: min(index + 16, bytes.end), stopsAtFirst)
            }
        }
    }

    /// Skips a group in which no value ends; false leaves it to `step`.
    @inline(__always)
    private mutating func pass(_ group: SIMD16<UInt8>) -> Bool {
        let folded = group | SIMD16(repeating: 0x20)  // [ to {, ] to }
        let quotes = Self.lanes(group .== SIMD16(repeating: UInt8(ascii: "\"")))
        let opening = Self.lanes(folded .== SIMD16(repeating: UInt8(ascii: "{")))
        let closing = Self.lanes(folded .== SIMD16(repeating: UInt8(ascii: "}")))
        let doubtful = Self.lanes(
            (group .== SIMD16(repeating: 0x0A)) .| (group .== SIMD16(repeating: 0x5C)))

        let low = Self.strings(quotes[0], carry: isInString ? ~0 : 0)
        let high = Self.strings(quotes[1], carry: 0 &- (low >> 63))
        let strings = SIMD2(low, high)
        // Outside of strings a newline has no meaning, and a backslash is a fault that the parser reports.
        guard (doubtful[0] & low) | (doubtful[1] & high) == 0 else { return false }

        let closes = Self.count(closing & ~strings)
        guard closes < depth || closes == 0 else { return false }
        depth += Self.count(opening & ~strings) - closes
        isInString = high >> 63 == 1
        return true
    }

    /// Goes byte by byte; returns the index after the last one.
    private mutating func step(
        _ bytes: ByteCursor, from start: Int, to end: Int, _ stopsAtFirst: Bool
    ) -> Int {
        var index = start
        while index < end {
            let byte = bytes[index]
            index += 1
            if isInString {
                switch byte {
                case UInt8(ascii: "\\"): index = min(index + 1, bytes.end)
                // A string cannot span lines: one that does isn't closed, and must not affect the rest.
                case UInt8(ascii: "\""), 0x0A: isInString = false
                default: break
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0, !stopsAtFirst || lastEnd == nil { lastEnd = index }
                if depth < 0 {
                    closing = index - 1
                    return index
                }
            default: break
            }
        }
        return index
    }

    /// The bytes in strings, including opening quotes, as 0xFF: each byte is the exclusive or of
    /// all quotes up to it.
    @inline(__always)
    private static func strings(_ quotes: UInt64, carry: UInt64) -> UInt64 {
        var mask = quotes
        mask ^= mask << 8
        mask ^= mask << 16
        mask ^= mask << 32
        return mask ^ carry
    }

    /// The comparison's result as two words, with the first byte in the lowest bits.
    @inline(__always)
    private static func lanes(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD2<UInt64> {
        unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    }

    /// The number of bytes that are 0xFF.
    @inline(__always)
    private static func count(_ lanes: SIMD2<UInt64>) -> Int {
        let sums = (lanes[0] & WordMask.ones) + (lanes[1] & WordMask.ones)
        return Int(truncatingIfNeeded: (sums &* WordMask.ones) >> 56)
    }
}
