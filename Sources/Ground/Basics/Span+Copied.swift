extension Span<UInt8> {
    /// The bytes in an array of their own.
    @inlinable
    public var copied: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}
