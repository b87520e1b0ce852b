import Basics

/// The segments of a request's path, unescaped one by one, so that an escaped slash never becomes a
/// separator; segments that could lead elsewhere are refused.
package struct RequestPath {
    let segments: [String]

    /// - Parameter base: a path that clients may put before it, such as `/tiles`.
    package init(_ raw: String, below base: String = "") throws(ServiceError) {
        var path = raw[...]
        if !base.isEmpty, path.hasPrefix(base) {
            let rest = path.dropFirst(base.count)
            if rest.isEmpty || rest.hasPrefix("/") { path = rest.isEmpty ? "/" : rest }
        }
        guard path.utf8.first == UInt8(ascii: "/") else {
            throw .badPath("does not begin with a slash")
        }
        var segments: [String] = []
        if path.utf8.count > 1 {
            for part in path.utf8.dropFirst().split(
                separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            {
                segments.append(try Self.segment(Substring(part)))
            }
        }
        self.segments = segments
    }

    private static func segment(_ raw: Substring) throws(ServiceError) -> String {
        guard let text = percentDecoded(raw.utf8) else {
            throw .badPath("has an escape that is none")
        }
        guard !text.isEmpty else { throw .badPath("has an empty segment") }
        guard text != ".", text != ".." else { throw .badPath("may not go up or stay") }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }) else {
            throw .badPath("has a character that is not allowed")
        }
        return text
    }
}

/// The text with its percent-escapes decoded (RFC 3986, 2.1); nil if one is broken, or the result
/// is not UTF-8.
func percentDecoded(_ raw: some Collection<UInt8>) -> String? {
    guard raw.contains(UInt8(ascii: "%")) else { return String(validating: raw, as: UTF8.self) }
    var bytes: [UInt8] = []
    var rest = raw[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else {
            return nil
        }
        bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
}
