/// Integers as protocol buffers write them: seven bits a byte, the lowest first.
public enum Varint {
    /// Reads the number at `offset` and moves `offset` past it; nil if it does not end before `end`.
    @inlinable
    public static func read(_ bytes: Span<UInt8>, _ offset: inout Int, end: Int) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < end, shift < 64 {
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    /// The number at `offset` and the offset after it, in bytes that this program wrote.
    @inlinable
    public static func trusted(in bytes: Span<UInt8>, at offset: Int) -> (value: UInt64, next: Int)
    {
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
    public static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        forEachByte(of: value) { bytes.append($0) }
    }

    @inlinable
    @inline(__always)
    public static func forEachByte(of value: UInt64, _ body: (UInt8) -> Void) {
        var rest = value
        while rest >= 0x80 {
            body(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        body(UInt8(truncatingIfNeeded: rest))
    }

    /// The number of bytes of a nonnegative number.
    @inlinable
    @inline(__always)
    public static func size(of value: Int) -> Int {
        (70 - (value | 1).leadingZeroBitCount) / 7
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
