/// Why a JSON text could not be parsed further, and at which byte.
struct JSONFault: Error {
    var reason: RejectReason
    var offset: Int

    /// The greatest depth of arrays and objects.
    static let deepest = 256

    /// Numbers of programs, none in JSON.
    private static let words = ["NaN", "Infinity", "-Infinity"].map { Array($0.utf8) }

    /// The fault in words.
    func problem(_ bytes: ByteCursor) -> (RejectReason, String) {
        let index = min(offset, bytes.end)
        let text = Snippet.of(bytes.span(index..<min(index + 60, bytes.end)))
        return switch reason {
        case .truncated: (reason, "is cut off: the input ends in the middle of it")
        case .invalidUTF8: (reason, "is not valid UTF-8 at \(text)")
        case .tooDeep: (reason, "is nested more than \(Self.deepest) levels deep")
        case _ where Self.words.contains { bytes.span(index..<bytes.end).starts(with: $0) }:
            (reason, "is not valid JSON at \(text); JSON has no such number, write null")
        default: (reason, "is not valid JSON at \(text)")
        }
    }
}
