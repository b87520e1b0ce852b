/// A strong validator of one representation (RFC 9110, 8.8.3): each encoding has its own.
struct EntityTag: Equatable {
    let text: String

    init(_ hash: ContentHash, _ encoding: ContentEncoding) {
        let digits = String(hash.value, radix: 16)
        text = "\"\(digits)\(encoding.letter)\""
    }

    /// Whether an `If-None-Match` header names it; the comparison is weak (RFC 9110, 13.1.2).
    func isNamed(in header: String) -> Bool {
        header.utf8.elementsEqual(text.utf8)
            || header.split(separator: ",").contains { part in
                var part = part.drop { $0 == " " || $0 == "\t" }
                while part.last == " " || part.last == "\t" { part.removeLast() }
                return part == "*" || part == text
                    || part.hasPrefix("W/") && part.dropFirst(2) == text
            }
    }
}

/// How a body is packed (RFC 9110, 8.4.1).
enum ContentEncoding: String {
    case identity
    case gzip

    var letter: Character { self == .gzip ? "g" : "i" }
}

/// What a client says that it can unpack (RFC 9110, 12.5.3).
struct AcceptedEncodings {
    let hasGzip: Bool

    init(_ header: String?) {
        guard let header else {
            // Everything may be sent by the letter, but who says nothing may well know nothing.
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

    /// Whether a parameter is `q=0`, in any of its spellings.
    private static func isZero(_ parameter: String) -> Bool {
        let parts = parameter.split(separator: "=").map { String($0).trimmed }
        return parts.count == 2 && parts[0].lowercased() == "q" && Double(parts[1]) == 0
    }
}

extension String {
    /// Without the white space that headers may have around their parts.
    var trimmed: String {
        guard utf8.first == 0x20 || utf8.first == 9 || utf8.last == 0x20 || utf8.last == 9 else {
            return self
        }
        var text = self.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
