import Basics

/// Packs attributes into records, one record after another, in one growing buffer.
public struct RecordBuilder: Sendable {
    @usableFromInline var storage = Column<UInt8>()

    public init() {}

    /// The bytes packed so far.
    @inlinable public var byteCount: Int { storage.count }

    /// The packed records so far.
    @inlinable
    public var span: Span<UInt8> {
        @_lifetime(borrow self)
        get { storage.span }
    }

    /// A copy of the packed records so far.
    /// - Complexity: O(bytes).
    public var bytes: [UInt8] { bytes(from: 0) }

    func bytes(from start: Int) -> [UInt8] {
        storage.span.extracting(start..<storage.count).copied
    }

    @inlinable
    public mutating func append(_ key: AttributeKey, number: Double) {
        makeRoom(RecordWriter.longestNumber) { $0.append(key, number: number) }
    }

    @inlinable
    public mutating func append(_ key: AttributeKey, integer: Int64) {
        makeRoom(RecordWriter.longestNumber) { $0.append(key, integer: integer) }
    }

    @inlinable
    public mutating func append(_ key: AttributeKey, unsigned: UInt64) {
        makeRoom(RecordWriter.longestNumber) { $0.append(key, unsigned: unsigned) }
    }

    @inlinable
    public mutating func append(_ key: AttributeKey, bool: Bool) {
        makeRoom(RecordWriter.longestNumber) { $0.append(key, bool: bool) }
    }

    @inlinable
    public mutating func append(_ key: AttributeKey, utf8: Span<UInt8>) {
        makeRoom(RecordWriter.longestNumber + utf8.count) { $0.append(key, utf8: utf8) }
    }

    public mutating func append(_ key: AttributeKey, text: String) {
        var text = text
        text.makeContiguousUTF8()
        append(key, utf8: text.utf8.span)
    }

    /// Appends a packed value.
    public mutating func append(_ key: AttributeKey, packed: borrowing PackedValue) {
        let value = packed.bytes
        makeRoom(RecordWriter.longestNumber + value.count) {
            $0.append(varint: UInt64(key.number))
            $0.append(raw: value)
        }
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

    /// Appends packed attributes: a record, or some of its attributes.
    public mutating func append(packed attributes: [UInt8]) { append(packed: attributes.span) }

    public mutating func append(packed attributes: Span<UInt8>) {
        storage.append(contentsOf: attributes)
    }

    /// Discards everything packed after `count` bytes, for instance when a record is rejected half-way.
    @inlinable
    public mutating func rewind(to count: Int) {
        if count < storage.count { storage.truncate(to: count) }
    }

    public mutating func removeAll() { rewind(to: 0) }

    /// Calls `body` with a writer into new room of this size.
    @inlinable
    @inline(__always)
    mutating func makeRoom(_ count: Int, _ body: (inout RecordWriter) -> Void) {
        unsafe storage.append(room: count) { room in
            var writer = unsafe RecordWriter(room, count: count)
            body(&writer)
            return writer.count
        }
    }
}
