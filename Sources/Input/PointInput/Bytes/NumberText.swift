import CLibrary
import Points

/// A number in text form: digits, a decimal exponent, a sign (RFC 8259 section 6).
package struct NumberText {
    var isNegative = false
    /// Whether it has neither point nor exponent.
    var isWhole = true
    /// All digits as one whole number, if they fit.
    var digits: UInt64 = 0
    var isExact = true
    /// The power of ten by which `digits` is multiplied.
    var exponent = 0
    /// The range of its bytes.
    var range = 0..<0
}

extension ByteCursor {
    /// Reads a number in JSON's syntax; nil if there is none, with the cursor left before it, or at
    /// the end if the number is cut off there.
    @inline(__always)
    mutating func number() -> NumberText? {
        let start = offset
        if let number = shortNumber(at: start),
            byte(at: number.range.upperBound) | 0x20 != UInt8(ascii: "e")
        {
            // All bytes passed are not 0.
            pass(number.range.upperBound &- start)
            return number
        }
        return anyNumber(from: start)
    }

    /// Reads most numbers: up to fifteen digits, and up to fifteen after a point, nineteen in total.
    ///
    /// It does not look for an exponent: the caller checks what follows.
    @inline(__always)
    func shortNumber(at start: Int) -> NumberText? {
        var number = NumberText()
        number.isNegative = byte(at: start) == UInt8(ascii: "-")
        var index = start &+ (number.isNegative ? 1 : 0)
        // A single digit may be zero; several may not start with zero.
        let startsWithZero = byte(at: index) == UInt8(ascii: "0")
        let whole = addDigits(to: &number.digits, at: index)
        guard whole != 0, !startsWithZero || whole == 1 else { return nil }
        index &+= whole
        if byte(at: index) == UInt8(ascii: ".") {
            let fraction = addDigits(to: &number.digits, at: index &+ 1)
            guard fraction != 0, whole &+ fraction <= 19 else { return nil }
            number.isWhole = false
            number.exponent = 0 &- fraction
            index &+= 1 &+ fraction
        }
        number.range = unsafe Range(uncheckedBounds: (start, index))
        return number
    }

    /// Adds digits to a number and returns their count; 0 for none or more than fifteen.
    @inline(__always)
    private func addDigits(to number: inout UInt64, at index: Int) -> Int {
        let word = word(at: index)
        let count = WordMask.digitCount(word)
        guard count != 0 else { return 0 }
        number = number &* NumberText.powers[count] &+ WordMask.number(word, digits: count)
        guard count == 8 else { return count }
        let next = self.word(at: index &+ 8)
        let more = WordMask.digitCount(next)
        guard more != 0 else { return 8 }
        guard more != 8 else { return 0 }
        number = number &* NumberText.powers[more] &+ WordMask.number(next, digits: more)
        return 8 &+ more
    }

    @inline(never)
    private mutating func anyNumber(from start: Int) -> NumberText? {
        if let number = numberAhead(from: start) { return number }
        if !isAtEnd { move(to: start) }
        return nil
    }

    private mutating func numberAhead(from start: Int) -> NumberText? {
        var number = NumberText()
        if byte == UInt8(ascii: "-") {
            number.isNegative = true
            pass()
        }
        let first = byte
        let whole = digits(into: &number)
        guard whole > 0, first != UInt8(ascii: "0") || whole == 1 else { return nil }
        if byte == UInt8(ascii: ".") {
            pass()
            number.isWhole = false
            let count = digits(into: &number)
            guard count > 0 else { return nil }
            number.exponent = -count
        }
        if byte | 0x20 == UInt8(ascii: "e") {
            guard exponent(into: &number) else { return nil }
        }
        number.range = start..<offset
        // Nineteen digits always fit into 64 bits.
        if offset - start > 19 { checkExactness(of: &number) }
        return number
    }

    @inline(__always)
    private mutating func digits(into number: inout NumberText) -> Int {
        let start = offset
        var count = 8
        while count == 8 {
            let word = word()
            count = WordMask.digitCount(word)
            guard count > 0 else { break }
            number.digits =
                number.digits &* NumberText.powers[count]
                &+ WordMask.number(word, digits: count)
            pass(count)
        }
        return offset - start
    }

    /// Adds the digits again with overflow checks: twenty of them may or may not fit.
    private func checkExactness(of number: inout NumberText) {
        var sum: UInt64 = 0
        for index in number.range {
            let digit = self[index] &- UInt8(ascii: "0")
            if self[index] | 0x20 == UInt8(ascii: "e") { break }
            guard digit < 10 else { continue }
            let (tens, isTooMuch) = sum.multipliedReportingOverflow(by: 10)
            let (next, carry) = tens.addingReportingOverflow(UInt64(digit))
            if isTooMuch || carry { number.isExact = false }
            sum = next
        }
    }

    private mutating func exponent(into number: inout NumberText) -> Bool {
        number.isWhole = false
        advance()
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative || byte == UInt8(ascii: "+") { advance() }
        var value = 0
        let start = offset
        while case let digit = byte &- UInt8(ascii: "0"), digit < 10 {
            // Past a few thousand every number is zero or infinite.
            value = min(value * 10 + Int(digit), 100_000)
            advance()
        }
        number.exponent += isNegative ? -value : value
        return offset > start
    }

    /// Whether the number that was just read fits into 64 bits if it is whole, otherwise into a `Double`.
    @inline(__always)
    func holds(_ number: NumberText) -> Bool {
        number.isWhole
            ? number.fits
            : number.isExact && number.exponent < 280 || double(of: number).isFinite
    }

    /// The nearest `Double` of the number that was just read.
    @inline(__always)
    func double(of number: NumberText) -> Double {
        if number.isExact, let value = number.quickDouble { return value }
        return slowDouble(of: number)
    }

    /// Uses the C library, which rounds any number of digits correctly.
    private func slowDouble(of number: NumberText) -> Double {
        var text: [CChar] = []
        for index in number.range { text.append(CChar(bitPattern: self[index])) }
        text.append(0)
        return unsafe strtod(text, nil)
    }
}

extension NumberText {
    /// Powers of ten that fit into a `UInt64`.
    ///
    /// They are literals, because a computed table is checked for initialization at each use.
    fileprivate static let powers: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
        10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000,
        100_000_000_000_000, 1_000_000_000_000_000, 10_000_000_000_000_000,
        100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]
    /// Powers of ten that a `Double` holds exactly.
    private static let exactPowers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// The nearest `Double`, if a single operation, which rounds once, gives it; otherwise nil.
    @inline(__always)
    var quickDouble: Double? {
        let magnitude: Double
        if digits <= 1 << 53, exponent >= -22, exponent <= 22 {
            // Both operands are exact, so IEEE 754 division or multiplication rounds correctly.
            magnitude =
                exponent < 0
                ? Double(digits) / Self.exactPowers[-exponent]
                : Double(digits) * Self.exactPowers[exponent]
        } else if exponent < 0, exponent >= -19, digits != 0 {
            magnitude = Self.quotient(digits, Self.powers[-exponent])
        } else {
            return nil
        }
        return isNegative ? -magnitude : magnitude
    }

    /// The nearest `Double` to a quotient of whole numbers that are not 0.
    ///
    /// Both are shifted until their top bits are set; then their quotient is in ½ ..< 2 and 64 bits
    /// of it, with the remainder as a sticky bit, determine the rounding to 53.
    private static func quotient(_ dividend: UInt64, _ divisor: UInt64) -> Double {
        let up = dividend.leadingZeroBitCount
        let divisorUp = divisor.leadingZeroBitCount
        let high = dividend << UInt64(up)
        let by = divisor << UInt64(divisorUp)
        // Halving the dividend keeps the quotient below 2^64, as `dividingFullWidth` requires.
        let (quotient, remainder) = by.dividingFullWidth((high >> 1, high << 63))
        // `quotient` has 63 or 64 significant bits, of which rounding drops at least 10: a sticky
        // lowest bit represents everything after them.
        let sticky = quotient | (remainder == 0 ? 0 : 1)
        // The exponent is within ±127, far from where `Double`s are subnormal.
        return Double(sticky) * Double(bitPattern: UInt64(1023 + divisorUp - up - 63) << 52)
    }

    /// Whether it is no whole number, or one that fits into 64 bits.
    @inline(__always)
    var fits: Bool { !isWhole || (isExact && (!isNegative || digits <= 1 << 63)) }

    /// The value, if it is a whole number that fits into 64 bits.
    var wholeValue: AttributeValue? {
        guard isWhole, fits else { return nil }
        guard isNegative else { return AttributeValue(unsigned: digits) }
        return .integer(Int64(truncatingIfNeeded: 0 &- digits))
    }
}
