import Points

/// A view of a FlatBuffers table, read without a library and with every offset checked.
///
/// Layout: a table starts with the signed distance back to its vtable; the vtable has its own size,
/// the table's size, and for each field the offset from the table's start, 0 for an absent field.
/// Offsets in fields point forwards from their own position. All numbers are little-endian.
struct FlatTable: ~Escapable {
    private let bytes: Span<UInt8>
    private let start: Int
    private let vtable: Int
    private let vtableSize: Int

    /// The table that the buffer's first four bytes point to.
    @_lifetime(copy bytes)
    init(rootOf bytes: Span<UInt8>) throws(FlatGeobufFault) {
        try self.init(bytes, at: Int(Self.load(UInt32.self, bytes, at: 0)))
    }

    @_lifetime(copy bytes)
    private init(_ bytes: Span<UInt8>, at start: Int) throws(FlatGeobufFault) {
        self.bytes = bytes
        self.start = start
        vtable = try start - Int(Self.load(Int32.self, bytes, at: start))
        vtableSize = try Int(Self.load(UInt16.self, bytes, at: vtable))
        guard vtableSize >= 4, vtable + vtableSize <= bytes.count else {
            throw .badOffset(at: start)
        }
    }

    /// The number of bytes of the buffer that contains it.
    var byteCount: Int { bytes.count }

    func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ field: Int, default value: Integer
    ) throws(FlatGeobufFault) -> Integer {
        guard let start = try offset(of: field) else { return value }
        return try Self.load(Integer.self, bytes, at: start)
    }

    /// The bytes of a vector of scalars; empty if it is absent.
    @_lifetime(copy self)
    func vector(_ field: Int, elementSize: Int) throws(FlatGeobufFault) -> Span<UInt8> {
        guard let start = try target(of: field) else { return bytes.extracting(0..<0) }
        let count = try Int(Self.load(UInt32.self, bytes, at: start))
        // A vector starts with the number of its elements.
        guard count <= (bytes.count - start - 4) / elementSize else {
            throw .badOffset(at: start)
        }
        return bytes.extracting(start + 4..<start + 4 + count * elementSize)
    }

    func text(_ field: Int) throws(FlatGeobufFault) -> String? {
        guard try offset(of: field) != nil else { return nil }
        return try String(copying: vector(field, elementSize: 1))
    }

    @_lifetime(copy self)
    func table(_ field: Int) throws(FlatGeobufFault) -> FlatTable? {
        guard let start = try target(of: field) else { return nil }
        return try FlatTable(bytes, at: start)
    }

    /// The number of tables in a vector of tables.
    func tableCount(_ field: Int) throws(FlatGeobufFault) -> Int {
        try vector(field, elementSize: 4).count / 4
    }

    /// A table in a vector of tables; `index` is less than `tableCount`.
    @_lifetime(copy self)
    func table(_ field: Int, at index: Int) throws(FlatGeobufFault) -> FlatTable {
        guard let vector = try target(of: field) else { throw .badOffset(at: start) }
        let slot = vector + 4 + 4 * index
        return try FlatTable(bytes, at: slot + Int(Self.load(UInt32.self, bytes, at: slot)))
    }

    /// The offset of a field's value; nil if the field is absent.
    private func offset(of field: Int) throws(FlatGeobufFault) -> Int? {
        let slot = 4 + 2 * field
        guard slot + 2 <= vtableSize else { return nil }
        let offset = try Int(Self.load(UInt16.self, bytes, at: vtable + slot))
        return offset == 0 ? nil : start + offset
    }

    private func target(of field: Int) throws(FlatGeobufFault) -> Int? {
        guard let start = try offset(of: field) else { return nil }
        return try start + Int(Self.load(UInt32.self, bytes, at: start))
    }

    static func double(_ bytes: Span<UInt8>, at offset: Int) throws(FlatGeobufFault) -> Double {
        Double(bitPattern: try load(UInt64.self, bytes, at: offset))
    }

    /// A little-endian integer anywhere in `bytes`, aligned or not.
    static func load<Integer: FixedWidthInteger & BitwiseCopyable>(
        _: Integer.Type, _ bytes: Span<UInt8>, at offset: Int
    ) throws(FlatGeobufFault) -> Integer {
        guard offset >= 0, offset <= bytes.count - MemoryLayout<Integer>.size else {
            throw .badOffset(at: offset)
        }
        let value = unsafe bytes.bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: offset, as: Integer.self)
        return Integer(littleEndian: value)
    }
}
