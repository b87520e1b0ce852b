/// Why compressed bytes could not be inflated, and at which offset.
public enum CompressionError: Error, Equatable, Sendable {
    /// The stream is malformed; `reason` is in zlib's words.
    case corrupt(offset: Int, reason: String)
    /// The bytes end in the middle of a stream.
    case truncated(offset: Int)
    /// Something that is neither another member nor padding follows a whole stream.
    case trailingBytes(offset: Int)
    /// The inflated bytes would exceed the caller's limit.
    case tooLarge(limit: Int)
}

extension CompressionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .corrupt(let offset, let reason):
            "the compressed data is damaged at byte \(offset): \(reason)"
        case .truncated(let offset):
            "the compressed data ends early, after \(offset) bytes"
        case .trailingBytes(let offset):
            "the compressed data ends at byte \(offset), but more bytes follow"
        case .tooLarge(let limit):
            "the compressed data inflates to more than \(limit) bytes"
        }
    }
}
