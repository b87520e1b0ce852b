import Basics

/// A view of one packed record: the attributes of a point or a cluster, in order.
///
/// Layout: for each attribute the key's number as a varint, then its packed value.
public struct AttributeRecord: ~Escapable {
    public let bytes: Span<UInt8>

    @inlinable
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// The value of an attribute, if the record has it.
    /// - Complexity: O(attributes).
    @inlinable
    @_lifetime(copy self)
    public func value(of key: AttributeKey) -> PackedValue? {
        var cursor = makeCursor()
        while let attribute = cursor.next() {
            if attribute.key == key { return attribute.value }
        }
        return nil
    }

    /// The number of values and their bytes: the length of texts, and eight for all others.
    /// - Complexity: O(attributes).
    public var size: (values: Int, bytes: Int) {
        var size = (values: 0, bytes: 0)
        var cursor = makeCursor()
        while let attribute = cursor.next() {
            size.values += 1
            size.bytes += attribute.value.utf8?.count ?? 8
        }
        return size
    }

    /// A cursor before the first attribute.
    @inlinable
    @_lifetime(copy self)
    public func makeCursor() -> Cursor { Cursor(bytes) }

    /// A cursor over the attributes of a record.
    public struct Cursor: ~Escapable {
        @usableFromInline let bytes: Span<UInt8>
        @usableFromInline var offset = 0

        @inlinable
        @_lifetime(copy bytes)
        init(_ bytes: Span<UInt8>) { self.bytes = bytes }

        @inlinable
        @_lifetime(copy self)
        public mutating func next() -> PackedAttribute? {
            guard offset < bytes.count else { return nil }
            let key = Varint.trusted(in: bytes, at: offset)
            let start = key.next
            switch bytes[start] {
            case PackedValue.Kind.text.rawValue:
                let length = Varint.trusted(in: bytes, at: start + 1)
                offset = length.next + Int(length.value)
            case PackedValue.Kind.double.rawValue: offset = start + 9
            case PackedValue.Kind.float.rawValue: offset = start + 5
            case PackedValue.Kind.bool.rawValue: offset = start + 2
            default: offset = Varint.trusted(in: bytes, at: start + 1).next
            }
            return PackedAttribute(
                key: AttributeKey(number: UInt32(truncatingIfNeeded: key.value)),
                value: PackedValue(bytes.extracting(start..<offset)))
        }
    }
}

/// One attribute of a record.
public struct PackedAttribute: ~Escapable {
    public let key: AttributeKey
    public let value: PackedValue

    @inlinable
    @_lifetime(copy value)
    init(key: AttributeKey, value: consuming PackedValue) {
        self.key = key
        self.value = value
    }
}
