/// The host of an address and an optional port, as in `Host` headers and targets (RFC 3986, 3.2.2
/// and 3.2.3). Users, escapes and characters that no host on the web has are rejected.
public enum Authority {
    public static func isValid(_ text: String) -> Bool { isValid(text.utf8.span) }

    static func isValid(_ text: Span<UInt8>) -> Bool {
        guard (1...255).contains(text.count) else { return false }
        let isLiteral = text[0] == UInt8(ascii: "[")
        var end = isLiteral ? 1 : 0
        while end < text.count, isLiteral ? isOfLiteral(text[end]) : isOfName(text[end]) {
            end += 1
        }
        if isLiteral {
            guard end > 1, end < text.count, text[end] == UInt8(ascii: "]") else { return false }
            end += 1
        }
        return end > 0 && (end == text.count || isPort(text, from: end))
    }

    /// Whether the text from `start` on is a colon and a port, which may be empty.
    private static func isPort(_ text: Span<UInt8>, from start: Int) -> Bool {
        guard text[start] == UInt8(ascii: ":"), text.count - start <= 6 else { return false }
        var port = 0
        for index in start + 1..<text.count {
            guard isDigit(text[index]) else { return false }
            port = 10 * port + Int(text[index] - UInt8(ascii: "0"))
        }
        return port <= 65_535
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }

    private static func isOfLiteral(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20
            || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }
}

extension Request {
    /// The authority and the path of a target that is a whole address; nil if it is not one. Clients may send
    /// one to any server, and its authority takes precedence over the `Host` header (RFC 9112, 3.2.2).
    static func absoluteTarget(_ target: String) -> (authority: String, path: String)? {
        let schemes = ["http://", "https://"]
        guard !target.hasPrefix("/"),
            let scheme = schemes.first(where: { target.lowercased().hasPrefix($0) })
        else { return nil }
        let rest = target.dropFirst(scheme.count)
        let authority = String(rest.prefix { $0 != "/" })
        guard Authority.isValid(authority) else { return nil }
        let path = rest.dropFirst(authority.count)
        return (authority, path.isEmpty ? "/" : String(path))
    }
}
