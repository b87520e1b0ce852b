import Basics

/// Writes packed attributes into reserved room, without a function call for each.
///
/// It is for readers that pack a row at a time, which get it from `RecordBuilder.lendWriter`. Writes are
/// checked against the room, so a row that is too long traps and never overwrites other memory.
@safe
public struct RecordWriter {
    /// The most bytes of an attribute that is not a text: 5 of the key, 1 of the kind, 10 of a 64-bit varint.
    public static let longestNumber = 16

    @usableFromInline let start: UnsafeMutablePointer<UInt8>
    @usableFromInline var next: UnsafeMutablePointer<UInt8>
    @usableFromInline let end: UnsafeMutablePointer<UInt8>

    @inlinable
    @inline(__always)
    init(_ start: UnsafeMutablePointer<UInt8>, count: Int) {
        unsafe self.start = start
        unsafe next = start
        unsafe end = start + count
    }

    /// The number of bytes written.
    @inlinable public var count: Int { unsafe next - start }

    /// The remaining room in bytes.
    @inlinable public var room: Int { unsafe end - next }

    @inlinable
    @inline(__always)
    public mutating func append(_ key: AttributeKey, number: Double) {
        // The magnitude is checked first: only then is the conversion defined.
        if number.magnitude <= 0x1p53, number == Double(Int64(number)) {
            append(key, integer: Int64(number))
        } else if Double(Float(number)) == number {
            append(key, kind: .float, fixed: UInt64(Float(number).bitPattern), bytes: 4)
        } else {
            append(key, kind: .double, fixed: number.bitPattern, bytes: 8)
        }
    }

    @inlinable
    @inline(__always)
    public mutating func append(_ key: AttributeKey, integer: Int64) {
        if integer >= 0 {
            append(key, unsigned: UInt64(integer))
        } else {
            append(key, kind: .negative, varint: Varint.zigzag(integer))
        }
    }

    @inlinable
    @inline(__always)
    public mutating func append(_ key: AttributeKey, unsigned: UInt64) {
        append(key, kind: .unsigned, varint: unsigned)
    }

    @inlinable
    @inline(__always)
    public mutating func append(_ key: AttributeKey, bool: Bool) {
        append(key, kind: .bool, varint: bool ? 1 : 0)
    }

    @inlinable
    @inline(__always)
    public mutating func append(_ key: AttributeKey, utf8: Span<UInt8>) {
        append(key, kind: .text, varint: UInt64(utf8.count))
        append(raw: utf8)
    }

    @inlinable
    @inline(__always)
    mutating func append(_ key: AttributeKey, kind: PackedValue.Kind, varint value: UInt64) {
        precondition(room >= Self.longestNumber)
        put(varint: UInt64(key.number))
        put(kind.rawValue)
        put(varint: value)
    }

    @inlinable
    @inline(__always)
    mutating func append(
        _ key: AttributeKey, kind: PackedValue.Kind, fixed: UInt64, bytes count: Int
    ) {
        precondition(room >= Self.longestNumber)
        put(varint: UInt64(key.number))
        put(kind.rawValue)
        // All eight bytes are stored, as the room allows it, and `count` of them are kept.
        unsafe UnsafeMutableRawPointer(next).storeBytes(of: fixed.littleEndian, as: UInt64.self)
        unsafe next += count
    }

    @inlinable
    @inline(__always)
    mutating func append(varint value: UInt64) {
        precondition(room >= 10)
        put(varint: value)
    }

    @inlinable
    @inline(__always)
    mutating func append(raw bytes: Span<UInt8>) {
        precondition(room >= bytes.count)
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return }
            unsafe next.update(from: source, count: bytes.count)
        }
        unsafe next += bytes.count
    }

    /// Stores a byte; the caller has checked the room.
    @inlinable
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        unsafe next.pointee = byte
        unsafe next += 1
    }

    @inlinable
    @inline(__always)
    mutating func put(varint value: UInt64) {
        Varint.forEachByte(of: value) { put($0) }
    }
}

// MARK: - Texts that are copied while searching for their end

extension RecordWriter {
    /// Starts a text that is stored in words; false if there is no room for it.
    @inlinable
    @inline(__always)
    public mutating func beginText(_ key: AttributeKey) -> Bool {
        guard room >= Self.longestNumber else { return false }
        put(varint: UInt64(key.number))
        put(PackedValue.Kind.text.rawValue)
        return true
    }

    /// Stores eight bytes of a text, `offset` bytes from its start, after one byte for its length;
    /// false if there is no room.
    @inlinable
    @inline(__always)
    public func store(_ word: UInt64, at offset: Int) -> Bool {
        guard offset >= 0, offset &+ 1 + 8 <= room else { return false }
        unsafe UnsafeMutableRawPointer(next + 1 + offset)
            .storeBytes(of: word.littleEndian, as: UInt64.self)
        return true
    }

    /// Ends a text of `count` stored bytes; false if there is no room for its length.
    @inlinable
    @inline(__always)
    public mutating func endText(count: Int) -> Bool {
        guard count >= 0, count + 10 <= room else { return false }
        if count < 0x80 {
            unsafe next.pointee = UInt8(truncatingIfNeeded: count)
            unsafe next += 1 + count
        } else {
            endLongText(count: count)
        }
        return true
    }

    /// Moves a text to make room for a length of more than one byte.
    @usableFromInline
    mutating func endLongText(count: Int) {
        let text = unsafe next + 1
        let lengthBytes = Varint.size(of: count)
        unsafe (next + lengthBytes).update(from: text, count: count)
        put(varint: UInt64(count))
        unsafe next += count
    }
}

extension RecordBuilder {
    /// Lends a writer with `room` bytes after what is packed, valid until `take` or another change.
    ///
    /// It writes to the builder's own memory: the builder must not change meanwhile.
    @unsafe
    @inlinable
    @inline(__always)
    public mutating func lendWriter(room: Int) -> RecordWriter {
        storage.makeUnique()
        if storage.capacity - storage.count < room { storage.grow(toHold: storage.count + room) }
        return unsafe RecordWriter(storage.base + storage.count, count: room)
    }

    /// Keeps what the last lent writer has written.
    @inlinable
    @inline(__always)
    public mutating func take(_ writer: RecordWriter) {
        unsafe precondition(writer.start == storage.base + storage.count)
        precondition(writer.count <= storage.capacity - storage.count)
        storage.storedCount += writer.count
    }
}
