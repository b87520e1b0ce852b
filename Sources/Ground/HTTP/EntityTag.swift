/// A strong validator of one representation (RFC 9110, 8.8.3): a mark of the contents, and a letter
/// that distinguishes encodings of the same contents.
public struct EntityTag: Equatable, Sendable {
    public let mark: UInt64
    public let letter: Unicode.Scalar

    public init(mark: UInt64, letter: Unicode.Scalar) {
        precondition(letter.isASCII, "a tag is plain ASCII")
        self.mark = mark
        self.letter = letter
    }

    /// The tag as a header has it, with quotes.
    public var text: String {
        let digits = String(mark, radix: 16)
        return "\"\(digits)\(Character(letter))\""
    }

    /// Whether an `If-None-Match` header contains it; the comparison is weak (RFC 9110, 13.1.2).
    public func isNamed(in header: String) -> Bool {
        let text = text
        return header.utf8.elementsEqual(text.utf8)
            || header.split(separator: ",").contains { part in
                var part = part.drop { $0 == " " || $0 == "\t" }
                while part.last == " " || part.last == "\t" { part.removeLast() }
                return part == "*" || part == text
                    || part.hasPrefix("W/") && part.dropFirst(2) == text
            }
    }
}
