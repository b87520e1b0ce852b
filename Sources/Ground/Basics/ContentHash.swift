/// A 64-bit mark of some bytes, the same on every machine: equal bytes have equal marks, and
/// different bytes have different ones with a certainty that is enough for a cache. It is no
/// defence against forgery, but forging marks gains nothing: it takes the right to change tiles.
package struct ContentHash: Hashable, Sendable {
    package let value: UInt64

    /// Each step folds the 128-bit product of 16 bytes with what came before, as wyhash does.
    package init(of bytes: Span<UInt8>) {
        var state = Self.seed ^ UInt64(bytes.count)
        unsafe bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 16 <= bytes.count {
                let a = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                let b = unsafe bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
                state = Self.fold(
                    UInt64(littleEndian: a) ^ Self.odd, UInt64(littleEndian: b) ^ state)
                offset += 16
            }
            var tail: (UInt64, UInt64) = (0, 0)
            while offset < bytes.count {
                tail.1 = tail.1 << 8 | tail.0 >> 56
                tail.0 = tail.0 << 8 | UInt64(unsafe bytes[offset])
                offset += 1
            }
            state = Self.fold(tail.0 ^ Self.odd, tail.1 ^ state)
        }
        value = Self.fold(state ^ Self.seed, Self.odd)
    }

    private static let seed: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let odd: UInt64 = 0xD6E8_FEB8_6659_FD93

    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
