extension JSONParser {
    /// Parses the string that starts at the quote here (RFC 8259, section 7).
    mutating func string() throws(Failure) -> String {
        offset += 1
        let start = offset
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""):
                let text = try text(of: start..<offset)
                offset += 1
                return text
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw failure(.controlCharacter(byte))
            default: offset += 1
            }
        }
        throw failure(.endsEarly)
    }

    /// Continues at the first escape; the text before it is used as it is.
    private mutating func escapedString(from start: Int) throws(Failure) -> String {
        var result = try text(of: start..<offset)
        var pieceStart = offset
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""):
                result += try text(of: pieceStart..<offset)
                offset += 1
                return result
            case UInt8(ascii: "\\"):
                result += try text(of: pieceStart..<offset)
                result.unicodeScalars.append(try escape())
                pieceStart = offset
            case 0..<0x20: throw failure(.controlCharacter(byte))
            default: offset += 1
            }
        }
        throw failure(.endsEarly)
    }

    private func text(of range: Range<Int>) throws(Failure) -> String {
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: bytes.extracting(range)))
        } catch {
            throw failure(.badUTF8, at: range.lowerBound + error.byteOffsets.lowerBound)
        }
    }

    private mutating func escape() throws(Failure) -> Unicode.Scalar {
        let start = offset
        offset += 1
        guard let letter = peek() else { throw failure(.endsEarly) }
        offset += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return .init(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(from: start)
        default: throw failure(.badEscape, at: start)
        }
    }

    /// The scalar of `\uXXXX`, or of the two escapes of a surrogate pair.
    private mutating func unicodeEscape(from start: Int) throws(Failure) -> Unicode.Scalar {
        let first = try fourDigits(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw failure(.loneSurrogate, at: start)
        }
        let second = try fourDigits(from: start)
        let code = 0x10000 + ((first - 0xD800) << 10) + (second & 0x3FF)
        guard (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(code) else {
            throw failure(.loneSurrogate, at: start)
        }
        return scalar
    }

    private mutating func fourDigits(from start: Int) throws(Failure) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek() else { throw failure(.endsEarly) }
            guard let digit = Self.hexDigit(byte) else {
                throw failure(.badEscape, at: start)
            }
            code = code << 4 | digit
            offset += 1
        }
        return code
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
