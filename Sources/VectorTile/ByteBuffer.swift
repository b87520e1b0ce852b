/// Bytes that are appended, read and forgotten, in memory that stays.
struct ByteBuffer: Sendable {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    var span: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span }
    }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func append(_ span: Span<UInt8>) {
        unsafe span.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func append(_ other: ByteBuffer) { bytes.append(contentsOf: other.bytes) }

    mutating func append(_ other: ByteBuffer, in range: Range<Int>) {
        bytes.append(contentsOf: other.bytes[range])
    }

    /// Appends a length-delimited field.
    mutating func append(field tag: UInt64, _ payload: Span<UInt8>) {
        append(varint: tag)
        append(varint: UInt64(payload.count))
        append(payload)
    }

    /// Leaves room for a length of one byte, as most are; `endLength` makes room for more.
    mutating func beginLength() -> Int {
        bytes.append(0)
        return bytes.count
    }

    /// Writes the length of all that was appended since `beginLength` in front of it.
    mutating func endLength(from start: Int) {
        let length = bytes.count - start
        if length < 0x80 {
            bytes[start - 1] = UInt8(truncatingIfNeeded: length)
            return
        }
        var prefix = ByteBuffer()
        prefix.append(varint: UInt64(length))
        bytes.replaceSubrange(start - 1..<start, with: prefix.bytes)
    }
}
