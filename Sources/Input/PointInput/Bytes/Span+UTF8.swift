extension Span<UInt8> {
    /// Whether it is valid UTF-8.
    var isUTF8: Bool { isASCII || (try? UTF8Span(validating: self)) != nil }

    /// Whether it is plain ASCII, as most texts are; then no other check is needed.
    private var isASCII: Bool {
        var bits: UInt8 = 0
        // This loop is vectorized.
        for index in indices { bits |= self[index] }
        return bits < 0x80
    }
}
