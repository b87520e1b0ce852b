import Basics

/// An attribute's value, read in place (MVT 4.1).
public struct ValueView: ~Escapable {
    /// The value message, without a length in front.
    public let bytes: Span<UInt8>

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// The value, unpacked.
    public var value: TileValue {
        guard let value = try? unpack() else {
            preconditionFailure("a layer's values are checked when it is opened")
        }
        return value
    }

    /// The bytes of a text; nil for other types.
    public var textBytes: Span<UInt8>? {
        @_lifetime(copy self)
        get {
            guard bytes[0] == TileValue.Field.string else { return nil }
            var reader = WireReader(bytes)
            guard (try? reader.tag()) != nil, let range = try? reader.payload() else { return nil }
            return bytes.extracting(range)
        }
    }

    private func unpack() throws(TileError) -> TileValue {
        var reader = WireReader(bytes)
        let tag = try reader.tag()
        switch UInt8(truncatingIfNeeded: tag.integer) {
        case TileValue.Field.string:
            return .string(String(copying: bytes.extracting(try reader.payload())))
        case TileValue.Field.float:
            let bits = UInt32(truncatingIfNeeded: reader.fixed(bytes: 4))
            return .float(Float(bitPattern: bits))
        case TileValue.Field.double:
            return .double(Double(bitPattern: reader.fixed(bytes: 8)))
        case TileValue.Field.int: return .int(Int64(bitPattern: try reader.varint()))
        case TileValue.Field.uint: return .uint(try reader.varint())
        case TileValue.Field.sint: return .sint(Varint.zigzag(try reader.varint()))
        case TileValue.Field.bool: return .bool(try reader.varint() != 0)
        default: throw reader.error(.badValue)
        }
    }

    /// Checks that the message holds exactly one field, and one that the schema knows.
    static func check(_ range: Range<Int>, in layer: borrowing WireReader) throws(TileError) {
        var reader = WireReader(layer.bytes, in: range, layer: layer.layer)
        guard !reader.isAtEnd else { throw reader.error(.badValue) }
        let tag = try reader.tag()
        guard tag.field <= 7 else { throw reader.error(.badValue, at: range.lowerBound) }
        guard tag.kind == kind(ofField: tag.field) else {
            throw reader.error(.wrongWireType, at: range.lowerBound)
        }
        try reader.skip(tag.kind)
        guard reader.isAtEnd else { throw reader.error(.badValue, at: range.lowerBound) }
    }

    private static func kind(ofField field: UInt64) -> Wire.Kind {
        switch field {
        case 1: .bytes
        case 2: .fixed32
        case 3: .fixed64
        default: .varint
        }
    }
}
