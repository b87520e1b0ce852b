/// Packs attributes into records, one record after another, in one growing buffer.
public struct RecordBuilder: Sendable {
    /// The packed records so far.
    public private(set) var bytes: [UInt8] = []

    public init() {}

    @inlinable
    public mutating func append(_ key: AttributeKey, number: Double) {
        if number.magnitude <= 0x1p53, number == number.rounded(.towardZero) {
            append(key, integer: Int64(number))
        } else if Double(Float(number)) == number {
            append(key, kind: .float, fixed: UInt64(Float(number).bitPattern), bytes: 4)
        } else {
            append(key, kind: .double, fixed: number.bitPattern, bytes: 8)
        }
    }

    @inlinable
    public mutating func append(_ key: AttributeKey, integer: Int64) {
        if integer >= 0 {
            append(key, unsigned: UInt64(integer))
        } else {
            append(key, kind: .negative, varint: PackedBytes.zigzag(integer))
        }
    }

    @inlinable
    public mutating func append(_ key: AttributeKey, unsigned: UInt64) {
        append(key, kind: .unsigned, varint: unsigned)
    }

    @inlinable
    public mutating func append(_ key: AttributeKey, bool: Bool) {
        append(key, kind: .bool, varint: bool ? 1 : 0)
    }

    @inlinable
    public mutating func append(_ key: AttributeKey, utf8: Span<UInt8>) {
        append(key, kind: .text, varint: UInt64(utf8.count))
        append(raw: utf8)
    }

    public mutating func append(_ key: AttributeKey, text: String) {
        var text = text
        text.makeContiguousUTF8()
        append(key, utf8: text.utf8.span)
    }

    /// Appends a value that is packed already.
    @inlinable
    public mutating func append(_ key: AttributeKey, packed: borrowing PackedValue) {
        append(varint: UInt64(key.number))
        append(raw: packed.bytes)
    }

    public mutating func append(_ key: AttributeKey, _ value: AttributeValue) {
        switch value {
        case .text(let text): append(key, text: text)
        case .number(let number): append(key, number: number)
        case .integer(let integer): append(key, integer: integer)
        case .unsigned(let unsigned): append(key, unsigned: unsigned)
        case .bool(let bool): append(key, bool: bool)
        }
    }

    /// Appends attributes that are packed already: a record, or some of one.
    public mutating func append(packed attributes: [UInt8]) { bytes += attributes }

    /// Forgets all that was packed behind `count` bytes, as when a record is rejected half-way.
    public mutating func rewind(to count: Int) { bytes.removeSubrange(count...) }

    /// Makes room for that many bytes in all.
    public mutating func reserve(_ byteCount: Int) { bytes.reserveCapacity(byteCount) }

    public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    @usableFromInline
    mutating func append(_ key: AttributeKey, kind: PackedValue.Kind, varint value: UInt64) {
        // A key takes at most 5 bytes, a 64-bit varint 10.
        makeRoom(for: 16)
        bytes.append(addingCapacity: 16) { output in
            Self.append(varint: UInt64(key.number), to: &output)
            output.append(kind.rawValue)
            Self.append(varint: value, to: &output)
        }
    }

    @usableFromInline
    mutating func append(
        _ key: AttributeKey, kind: PackedValue.Kind, fixed: UInt64, bytes count: Int
    ) {
        makeRoom(for: 14)
        bytes.append(addingCapacity: 14) { output in
            Self.append(varint: UInt64(key.number), to: &output)
            output.append(kind.rawValue)
            for index in 0..<count {
                output.append(UInt8(truncatingIfNeeded: fixed >> UInt64(8 * index)))
            }
        }
    }

    /// Grows the buffer by a factor; to add capacity bit by bit would copy it each time.
    @inline(__always)
    private mutating func makeRoom(for count: Int) {
        if bytes.capacity - bytes.count < count { bytes.reserveCapacity(2 * bytes.count + 256) }
    }

    @inline(__always)
    private static func append(varint value: UInt64, to output: inout OutputSpan<UInt8>) {
        var rest = value
        while rest >= 0x80 {
            output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        output.append(UInt8(truncatingIfNeeded: rest))
    }

    @usableFromInline
    mutating func append(varint value: UInt64) { PackedBytes.append(varint: value, to: &bytes) }

    @usableFromInline
    mutating func append(raw: Span<UInt8>) {
        unsafe raw.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
}
