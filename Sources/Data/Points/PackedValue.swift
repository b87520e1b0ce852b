import Basics

/// A view of one packed attribute value.
///
/// The bytes are a vector tile's value message (MVT 4.1: a field tag, then the payload), in one
/// canonical form for each value. So a value is copied from the input into any number of tiles as
/// bytes, and two values are equal if their bytes are.
public struct PackedValue: ~Escapable {
    /// The value message, without a length prefix.
    public let bytes: Span<UInt8>

    @inlinable
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    public enum Kind: UInt8, Sendable {
        // MVT 4.1: field number << 3 | wire type.
        case text = 0x0A
        case float = 0x15
        case double = 0x19
        case unsigned = 0x28
        case negative = 0x30
        case bool = 0x38
    }

    @inlinable
    public var kind: Kind {
        guard let kind = Kind(rawValue: bytes[0]) else {
            preconditionFailure("not a packed value")
        }
        return kind
    }

    /// Moves `offset` past a value from an untrusted source; false if it is not valid.
    static func pass(_ bytes: Span<UInt8>, _ offset: inout Int, end: Int) -> Bool {
        guard offset < end, let kind = Kind(rawValue: bytes[offset]) else { return false }
        offset += 1
        switch kind {
        case .text:
            guard let length = Varint.read(bytes, &offset, end: end), length <= UInt64(end - offset)
            else { return false }
            offset += Int(length)
        case .float: offset += 4
        case .double: offset += 8
        case .bool: offset += 1
        case .unsigned, .negative: return Varint.read(bytes, &offset, end: end) != nil
        }
        return offset <= end
    }

    /// The value as a number, if it is one; texts are not parsed.
    @inlinable
    public var number: Double? {
        switch kind {
        case .text, .bool: nil
        case .float: Double(Float(bitPattern: UInt32(truncatingIfNeeded: fixed(bytes: 4))))
        case .double: Double(bitPattern: fixed(bytes: 8))
        case .unsigned: Double(Varint.trusted(in: bytes, at: 1).value)
        case .negative: Double(Varint.zigzag(Varint.trusted(in: bytes, at: 1).value))
        }
    }

    /// The UTF-8 of a text, if it is one.
    @inlinable
    public var utf8: Span<UInt8>? {
        @_lifetime(copy self)
        get {
            guard bytes[0] == Kind.text.rawValue else { return nil }
            let length = Varint.trusted(in: bytes, at: 1)
            return bytes.extracting(length.next..<bytes.count)
        }
    }

    @inlinable
    public var bool: Bool? { bytes[0] == Kind.bool.rawValue ? bytes[1] != 0 : nil }

    /// The value as an ordinary Swift value.
    /// - Complexity: O(length) for a text, which is copied.
    public var unpacked: AttributeValue {
        switch kind {
        case .text:
            guard let utf8 else { return .text("") }
            return .text(String(copying: utf8))
        case .float, .double:
            return .number(number ?? .nan)
        case .unsigned:
            let value = Varint.trusted(in: bytes, at: 1).value
            return value <= UInt64(Int64.max) ? .integer(Int64(value)) : .unsigned(value)
        case .negative:
            return .integer(Varint.zigzag(Varint.trusted(in: bytes, at: 1).value))
        case .bool:
            return .bool(bytes[1] != 0)
        }
    }

    @inlinable
    func fixed(bytes count: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<count { value |= UInt64(bytes[1 + index]) << UInt64(8 * index) }
        return value
    }
}
