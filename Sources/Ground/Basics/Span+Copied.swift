extension Span<UInt8> {
    /// A copy of the bytes in an array.
    @inlinable
    public var copied: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}

extension String {
    /// The text with this UTF-8; ill-formed UTF-8 is replaced by U+FFFD.
    public init(copying utf8: Span<UInt8>) {
        self = unsafe utf8.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
