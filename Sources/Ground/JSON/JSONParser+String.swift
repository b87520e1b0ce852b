extension JSONParser {
    /// Parses the string that starts at the quote here (RFC 8259, section 7).
    mutating func string() throws(Failure) -> String {
        offset += 1
        var pieceStart = offset
        var result = ""
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""):
                let piece = try text(of: pieceStart..<offset)
                offset += 1
                return result.isEmpty ? piece : result + piece
            case UInt8(ascii: "\\"):
                result += try text(of: pieceStart..<offset)
                result.unicodeScalars.append(try JSONEscape.scalar(in: bytes, at: &offset))
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
}
