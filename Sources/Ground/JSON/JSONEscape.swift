import Basics

/// The escapes of strings (RFC 8259, section 7).
package enum JSONEscape {
    /// The scalar of the escape whose backslash is at `offset`, or of the two of a surrogate pair; `offset` moves
    /// past it. After a surrogate without its other half, which is an error, `offset` is past that one.
    package static func scalar(
        in bytes: Span<UInt8>, at offset: inout Int
    ) throws(JSONParser.Failure) -> Unicode.Scalar {
        let start = offset
        guard start + 1 < bytes.count else { throw .init(fault: .endsEarly, offset: bytes.count) }
        let letter = bytes[start + 1]
        offset += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return .init(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw .init(fault: .badEscape, offset: start)
        }
        let first = try unit(in: bytes, at: offset, ofEscapeAt: start)
        offset += 4
        if let scalar = Unicode.Scalar(first) { return scalar }
        let fault = JSONParser.Failure(fault: .loneSurrogate, offset: start)
        guard first < 0xDC00, offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        else { throw fault }
        let second = try unit(in: bytes, at: offset + 2, ofEscapeAt: start)
        let code = 0x10000 + ((first - 0xD800) << 10) + (second & 0x3FF)
        guard (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(code) else {
            throw fault
        }
        offset += 6
        return scalar
    }

    /// The UTF-16 code unit of four digits.
    private static func unit(
        in bytes: Span<UInt8>, at offset: Int, ofEscapeAt start: Int
    ) throws(JSONParser.Failure) -> UInt32 {
        var unit: UInt32 = 0
        for index in offset..<offset + 4 {
            guard index < bytes.count else { throw .init(fault: .endsEarly, offset: bytes.count) }
            guard let digit = bytes[index].hexDigit else {
                throw .init(fault: .badEscape, offset: start)
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
