/// A bounds-checked cursor over the bytes of a binary geometry, in its byte order.
struct GeometryCursor: ~Escapable {
    private let bytes: Span<UInt8>
    private(set) var offset = 0
    var isLittleEndian = true

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    var remaining: Int { bytes.count - offset }
    var isAtEnd: Bool { offset == bytes.count }

    @_lifetime(self: copy self)
    mutating func skip(_ count: Int) throws(BinaryGeometryFault) {
        guard count <= remaining else { throw .truncated(offset: bytes.count) }
        offset += count
    }

    @_lifetime(self: copy self)
    mutating func readByte() throws(BinaryGeometryFault) -> UInt8 {
        try skip(1)
        return bytes[offset - 1]
    }

    @_lifetime(self: copy self)
    mutating func readUInt32() throws(BinaryGeometryFault) -> UInt32 {
        try skip(4)
        return read(UInt32.self)
    }

    @_lifetime(self: copy self)
    mutating func readDouble() throws(BinaryGeometryFault) -> Double {
        try skip(8)
        return Double(bitPattern: read(UInt64.self))
    }

    /// Reads the integer that ends at the cursor.
    private func read<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer {
        let start = offset - MemoryLayout<Integer>.size
        var value: Integer = 0
        for index in start..<offset {
            value = value << 8 | Integer(truncatingIfNeeded: bytes[index])
        }
        return isLittleEndian ? value.byteSwapped : value
    }
}
