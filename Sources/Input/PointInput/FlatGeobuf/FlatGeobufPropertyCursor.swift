/// A cursor over the properties of a feature: a column's number (16 bits), then its value.
package struct FlatGeobufPropertyCursor: ~Escapable {
    private let bytes: Span<UInt8>
    private var offset = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// The next property, whose type is its column's; nil after the last.
    @_lifetime(copy self)
    @_lifetime(self: copy self)
    package mutating func next(
        of columns: [FlatGeobufColumn]
    ) throws(FlatGeobufFault) -> FlatGeobufProperty? {
        guard offset < bytes.count else { return nil }
        guard offset + 2 <= bytes.count else { throw .truncatedProperties }
        let column = try Int(FlatTable.load(UInt16.self, bytes, at: offset))
        guard column < columns.count else { throw .noSuchColumn(column) }
        var start = offset + 2
        var size = columns[column].kind.size
        if size == nil {
            guard start + 4 <= bytes.count else { throw .truncatedProperties }
            size = try Int(FlatTable.load(UInt32.self, bytes, at: start))
            start += 4
        }
        guard let size, size <= bytes.count - start else { throw .truncatedProperties }
        offset = start + size
        return FlatGeobufProperty(column: column, bytes: bytes.extracting(start..<offset))
    }
}

/// A property: its column, and the bytes of its value.
package struct FlatGeobufProperty: ~Escapable {
    package let column: Int
    package let bytes: Span<UInt8>

    @_lifetime(copy bytes)
    init(column: Int, bytes: Span<UInt8>) {
        self.column = column
        self.bytes = bytes
    }

    /// The value as an integer of the column's width.
    package func integer<Integer: FixedWidthInteger & BitwiseCopyable>(_: Integer.Type) -> Integer {
        var value: Integer = 0
        for index in bytes.indices.reversed() {
            value = value << 8 | Integer(truncatingIfNeeded: bytes[index])
        }
        return value
    }
}
