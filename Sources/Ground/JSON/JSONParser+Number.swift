import Basics

extension JSONParser {
    /// Parses a number (RFC 8259, section 6).
    mutating func number() throws(Failure) -> JSONValue {
        let start = offset
        let isNegative = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            guard peek()?.isASCIIDigit != true else { throw failure(.badNumber, at: start) }
        } else {
            try digits(of: start)
        }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try digits(of: start)
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
            try digits(of: start)
        }
        if isWhole, let integer = integer(of: start..<offset, isNegative: isNegative) {
            return .integer(integer)
        }
        let number = Double(String(copying: ascii(start..<offset)))
        guard let number, number.isFinite else { throw failure(.numberOutOfRange, at: start) }
        return JSONValue(canonical: number)
    }

    private mutating func digits(of start: Int) throws(Failure) {
        guard let first = peek() else { throw failure(.endsEarly) }
        guard first.isASCIIDigit else { throw failure(.badNumber, at: start) }
        while peek()?.isASCIIDigit == true { offset += 1 }
    }

    /// The integer of these digits; nil for minus zero and for what `Int64` cannot hold.
    private func integer(of range: Range<Int>, isNegative: Bool) -> Int64? {
        var value: Int64 = 0
        for index in (range.lowerBound + (isNegative ? 1 : 0))..<range.upperBound {
            let digit = Int64(bytes[index] - UInt8(ascii: "0"))
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            // The sign is applied to every digit, because the least integer has no positive counterpart.
            let (sum, overflows) = tens.addingReportingOverflow(isNegative ? -digit : digit)
            guard !isTooLarge, !overflows else { return nil }
            value = sum
        }
        return isNegative && value == 0 ? nil : value
    }

    @_lifetime(copy self)
    private func ascii(_ range: Range<Int>) -> UTF8Span {
        unsafe UTF8Span(unchecked: bytes.extracting(range))
    }
}
