/// Offending text in a form for messages.
enum Snippet {
    /// The text in quotation marks, shortened, with everything unprintable escaped.
    static func of(_ bytes: Span<UInt8>, limit: Int = 40) -> String {
        var text = "“"
        var index = 0
        var count = 0
        while index < bytes.count, count < limit {
            let (piece, length) = piece(of: bytes.extracting(index...))
            text += piece
            index += length
            count += 1
        }
        return text + (index < bytes.count ? "…”" : "”")
    }

    static func of(_ text: String, limit: Int = 40) -> String {
        of(Array(text.utf8).span, limit: limit)
    }

    /// The first bytes as hexadecimal numbers, for binary data.
    static func bytes(_ bytes: Span<UInt8>, limit: Int = 12) -> String {
        bytes.extracting(first: limit).indices.map { hexadecimal(bytes[$0]) }
            .joined(separator: " ") + (bytes.count > limit ? " …" : "")
    }

    /// The first character in printable form, and its length in bytes; a single byte if it is not UTF-8.
    private static func piece(of bytes: Span<UInt8>) -> (text: String, length: Int) {
        let longest = (0..<min(4, bytes.count)).map { bytes[$0] }
        var parser = Unicode.UTF8.ForwardParser()
        var rest = longest.makeIterator()
        guard case .valid(let encoded) = parser.parseScalar(from: &rest) else {
            return ("\\x" + hexadecimal(longest[0]), 1)
        }
        let scalar = Unicode.UTF8.decode(encoded)
        let length = encoded.count
        switch scalar {
        case "\n": return ("\\n", length)
        case "\r": return ("\\r", length)
        case "\t": return ("\\t", length)
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control where scalar.isASCII: return ("\\x" + hexadecimal(longest[0]), length)
        // Some of them change the direction in which a terminal writes.
        case .control, .format, .lineSeparator, .paragraphSeparator:
            return ("\\u{" + String(scalar.value, radix: 16) + "}", length)
        default: return (String(scalar), length)
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
