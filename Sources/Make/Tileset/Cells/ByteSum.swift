/// A sum over bytes. Any change of the bytes changes it, except with a chance of 2^-64.
enum ByteSum {
    static func of(_ text: String) -> UInt64 { of(Array(text.utf8).span) }

    static func of(_ bytes: Span<UInt8>) -> UInt64 {
        unsafe bytes.withUnsafeBytes { bytes in
            var sum: UInt64 = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
            var offset = 0
            while offset + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                sum = (sum ^ word) &* 0xD6E8_FEB8_6659_FD93
                sum ^= sum >> 32
                offset += 8
            }
            while offset < bytes.count {
                sum = (sum ^ UInt64(unsafe bytes[offset])) &* 0x100_0000_01B3
                offset += 1
            }
            return sum ^ (sum >> 29)
        }
    }
}
