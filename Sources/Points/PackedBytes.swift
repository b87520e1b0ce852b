/// Protocol-buffer scalars, as packed records and vector tiles spell them.
public enum PackedBytes {
    /// The varint at `offset` and the offset behind it.
    @inlinable
    public static func varint(in bytes: Span<UInt8>, at offset: Int) -> (value: UInt64, next: Int) {
        var value = UInt64(bytes[offset])
        var next = offset + 1
        guard value >= 0x80 else { return (value, next) }
        value &= 0x7F
        var shift: UInt64 = 7
        while true {
            let byte = bytes[next]
            value |= UInt64(byte & 0x7F) &<< shift
            next += 1
            guard byte >= 0x80 else { return (value, next) }
            shift += 7
        }
    }

    @inlinable
    public static func append(varint value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    @inlinable
    public static func zigzag(_ value: UInt64) -> Int64 {
        Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    @inlinable
    public static func zigzag(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: (value << 1) ^ (value >> 63))
    }
}
