import Basics

/// The bytes of a message that is being written.
typealias ByteBuffer = Buffer<UInt8>

extension Buffer<UInt8> {
    mutating func append(varint value: UInt64) {
        // Most tags, lengths and indices of keys are this small.
        if value < 0x80 { return append(UInt8(truncatingIfNeeded: value)) }
        Varint.forEachByte(of: value) { append($0) }
    }

    /// Appends a length-delimited field.
    mutating func append(field tag: UInt64, _ payload: Span<UInt8>) {
        append(varint: tag)
        append(varint: UInt64(payload.count))
        append(payload)
    }

    /// Leaves room for a length of one byte, as most are; `endLength` makes room for more.
    mutating func beginLength() -> Int {
        append(0)
        return count
    }

    /// Writes the length of everything appended since `beginLength` in front of it.
    mutating func endLength(from start: Int) {
        var rest = UInt64(count - start)
        let size = Varint.size(of: count - start)
        if size > 1 { open(at: start, by: size - 1) }
        for index in 0..<size {
            let more: UInt8 = index < size - 1 ? 0x80 : 0
            self[start - 1 + index] = UInt8(truncatingIfNeeded: rest & 0x7F) | more
            rest >>= 7
        }
    }

    /// The bytes as an array of their own.
    func copyBytes() -> [UInt8] { span.copied }
}
