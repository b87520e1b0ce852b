/// Why a JSON text could not be parsed further, and at which byte.
struct JSONFault: Error {
    enum Kind { case syntax, truncated, invalidUTF8, tooDeep }
    var kind: Kind
    var offset: Int

    /// The fault in words.
    func problem(_ bytes: ByteCursor) -> (RejectReason, String) {
        let index = min(offset, bytes.end)
        let text = Snippet.of(bytes.span(index..<min(index + 60, bytes.end)))
        return switch kind {
        case .syntax: (.syntax, "is not valid JSON at \(text)")
        case .truncated: (.truncated, "is cut off: the input ends in the middle of it")
        case .invalidUTF8: (.invalidUTF8, "is not valid UTF-8 at \(text)")
        case .tooDeep: (.tooDeep, "is nested more than \(JSONToken.deepest) levels deep")
        }
    }
}
