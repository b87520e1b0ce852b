import Basics

/// An attribute's value with its type in the tile (MVT 4.1).
///
/// Values are equal if their types and bits are, so `-0.0` differs from `0.0`, and a NaN equals itself.
public enum TileValue: Sendable {
    case string(String)
    case float(Float)
    case double(Double)
    case int(Int64)
    case uint(UInt64)
    case sint(Int64)
    case bool(Bool)
}

extension TileValue: Hashable {
    public static func == (a: TileValue, b: TileValue) -> Bool {
        switch (a, b) {
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.int(let a), .int(let b)): a == b
        case (.uint(let a), .uint(let b)): a == b
        case (.sint(let a), .sint(let b)): a == b
        case (.bool(let a), .bool(let b)): a == b
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .float(let number): hasher.combine(number.bitPattern)
        case .double(let number): hasher.combine(number.bitPattern)
        case .int(let integer), .sint(let integer): hasher.combine(integer)
        case .uint(let integer): hasher.combine(integer)
        case .bool(let bool): hasher.combine(bool)
        }
    }
}

extension TileValue {
    /// The tag of each type's field in a value message.
    enum Field {
        static let string: UInt8 = 1 << 3 | 2
        static let float: UInt8 = 2 << 3 | 5
        static let double: UInt8 = 3 << 3 | 1
        static let int: UInt8 = 4 << 3 | 0
        static let uint: UInt8 = 5 << 3 | 0
        static let sint: UInt8 = 6 << 3 | 0
        static let bool: UInt8 = 7 << 3 | 0
    }

    /// Appends the value message, without a length in front.
    func append(to buffer: inout ByteBuffer) {
        switch self {
        case .string(let text):
            var text = text
            text.withUTF8 { utf8 in
                unsafe buffer.append(field: UInt64(Field.string), Span(_unsafeElements: utf8))
            }
        case .float(let number):
            buffer.append(Field.float)
            buffer.append(littleEndian: UInt64(number.bitPattern), bytes: 4)
        case .double(let number):
            buffer.append(Field.double)
            buffer.append(littleEndian: number.bitPattern, bytes: 8)
        case .int(let integer):
            buffer.append(Field.int, varint: UInt64(bitPattern: integer))
        case .uint(let integer): buffer.append(Field.uint, varint: integer)
        case .sint(let integer): buffer.append(Field.sint, varint: Varint.zigzag(integer))
        case .bool(let bool): buffer.append(Field.bool, varint: bool ? 1 : 0)
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func append(_ field: UInt8, varint: UInt64) {
        append(field)
        append(varint: varint)
    }

    fileprivate mutating func append(littleEndian value: UInt64, bytes count: Int) {
        for index in 0..<count {
            append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index)))
        }
    }
}
