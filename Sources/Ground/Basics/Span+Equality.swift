import CLibrary

extension Span<UInt8> {
    /// Whether both spans hold the same bytes.
    package func holdsSame(as other: Span<UInt8>) -> Bool {
        // An empty span may have no address, and is equal to any other.
        guard count == other.count, !isEmpty else { return count == other.count }
        return unsafe withUnsafeBufferPointer { own in
            unsafe other.withUnsafeBufferPointer { other in
                unsafe memcmp(own.baseAddress!, other.baseAddress!, own.count) == 0
            }
        }
    }

    package func holdsSame(as other: [UInt8]) -> Bool { holdsSame(as: other.span) }
}
