import Basics
import Points

/// A buffer in which attribute values are packed one after another to be handed to a tile.
struct PackedScalar {
    private var bytes = InlineArray<80, UInt8>(repeating: 0)
    private var count = 0

    var span: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(first: count) }
    }

    var value: PackedValue {
        @_lifetime(borrow self)
        borrowing get { PackedValue(span) }
    }

    mutating func set(unsigned value: UInt64) {
        begin(.unsigned)
        append(varint: value)
    }

    mutating func set(bool: Bool) {
        begin(.bool)
        append(bool ? 1 : 0)
    }

    /// A number in its canonical form: an integer if it is whole, a float if that is exact.
    mutating func set(number: Double) {
        if number.magnitude <= 0x1p53, number == number.rounded(.towardZero) {
            guard number < 0 else { return set(unsigned: UInt64(number)) }
            begin(.negative)
            append(varint: Varint.zigzag(Int64(number)))
        } else if Double(Float(number)) == number {
            begin(.float)
            append(fixed: UInt64(Float(number).bitPattern), bytes: 4)
        } else {
            begin(.double)
            append(fixed: number.bitPattern, bytes: 8)
        }
    }

    /// - Precondition: at most 78 bytes of UTF-8.
    mutating func set(shortText text: String) {
        begin(.text)
        append(UInt8(text.utf8.count))
        for byte in text.utf8 { append(byte) }
    }

    private mutating func begin(_ kind: PackedValue.Kind) {
        bytes[0] = kind.rawValue
        count = 1
    }

    private mutating func append(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    private mutating func append(varint value: UInt64) {
        Varint.forEachByte(of: value) { append($0) }
    }

    private mutating func append(fixed value: UInt64, bytes: Int) {
        for index in 0..<bytes { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }
}
