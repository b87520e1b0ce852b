import Basics
import HTTP

extension EntityTag {
    /// The tag of contents in an encoding; each encoding has its own.
    init(_ hash: ContentHash, _ encoding: ContentEncoding) {
        self.init(mark: hash.value, letter: encoding == .gzip ? "g" : "i")
    }
}

/// The encoding of a body (RFC 9110, 8.4.1).
enum ContentEncoding: String {
    case identity
    case gzip
}

/// The encodings that a client accepts (RFC 9110, 12.5.3).
struct AcceptedEncodings {
    let hasGzip: Bool

    init(_ header: String?) {
        guard let header else {
            // Without the header, any encoding is allowed, but such a client may not know any.
            hasGzip = false
            return
        }
        var gzip: Bool?
        var rest: Bool?
        for part in header.utf8.split(separator: UInt8(ascii: ",")) {
            let parts = part.split(separator: UInt8(ascii: ";"))
            let name = String(decoding: parts.first ?? part, as: UTF8.self).trimmed.lowercased()
            let isWanted = !parts.dropFirst().contains {
                Self.isZero(String(decoding: $0, as: UTF8.self))
            }
            if name == "gzip" || name == "x-gzip" { gzip = isWanted }
            if name == "*" { rest = isWanted }
        }
        hasGzip = gzip ?? rest ?? false
    }

    /// Whether a header names gzip and has no weights, as all browsers write it. Otherwise it must
    /// be parsed.
    static func plainlyHasGzip(_ header: Span<UInt8>) -> Bool {
        let gzip: UInt64 = 0x67_7A_69_70
        var isFound = false
        // The bytes of the word so far; any other value than `gzip` for a long word.
        var word: UInt64 = 0
        for index in header.indices {
            switch header[index] {
            case UInt8(ascii: ";"): return false
            case UInt8(ascii: ","), UInt8(ascii: " "):
                isFound = isFound || word == gzip
                word = 0
            case let byte: word = word >> 56 > 0 ? .max : word << 8 | UInt64(byte)
            }
        }
        return isFound || word == gzip
    }

    /// Whether a parameter is `q=0`, in any of its spellings.
    private static func isZero(_ parameter: String) -> Bool {
        let parts = parameter.split(separator: "=").map { String($0).trimmed }
        return parts.count == 2 && parts[0].lowercased() == "q" && Double(decimal: parts[1]) == 0
    }
}

extension String {
    /// The text without the white space that header parts may have around them.
    var trimmed: String {
        guard utf8.first == 0x20 || utf8.first == 9 || utf8.last == 0x20 || utf8.last == 9 else {
            return self
        }
        var text = self.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
