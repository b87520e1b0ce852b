/// Why a JSON text could not be parsed further, and at which byte.
struct JSONFault: Error {
    var reason: RejectReason
    var offset: Int

    /// The greatest depth of arrays and objects.
    static let deepest = 256

    /// The fault in words.
    func problem(_ bytes: ByteCursor) -> (RejectReason, String) {
        let index = min(offset, bytes.end)
        let text = Snippet.of(bytes.span(index..<min(index + 60, bytes.end)))
        return switch reason {
        case .truncated: (reason, "is cut off: the input ends in the middle of it")
        case .invalidUTF8: (reason, "is not valid UTF-8 at \(text)")
        case .tooDeep: (reason, "is nested more than \(Self.deepest) levels deep")
        default: (reason, "is not valid JSON at \(text)")
        }
    }
}
