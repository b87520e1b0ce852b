extension Span<UInt8> {
    /// Whether it is valid UTF-8.
    var isUTF8: Bool { isASCII || (try? UTF8Span(validating: self)) != nil }

    /// Whether it is plain ASCII, as most texts are; then no other check is needed.
    private var isASCII: Bool {
        let raw = unsafe self.bytes
        var (index, bits): (Int, UInt64) = (0, 0)
        while index <= count - 8 {
            bits |= unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < count {
            bits |= UInt64(self[index])
            index += 1
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }
}
