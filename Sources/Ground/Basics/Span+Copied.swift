extension Span<UInt8> {
    /// A copy of the bytes in an array.
    @inlinable
    public var copied: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}
