import Basics
import Points

/// A bounds-checked cursor over structures in Thrift's compact protocol, in which Parquet describes
/// files and pages.
///
/// A structure consists of fields, each with a number and a kind, up to a stop:
///
///     var id = 0
///     while let kind = try cursor.field(&id) {
///         switch id {
///         case 3: rows = try cursor.integer(kind)
///         default: try cursor.skip(kind)
///         }
///     }
struct ThriftCursor: ~Escapable {
    private let bytes: Span<UInt8>
    private(set) var offset: Int

    /// The greatest depth of structures; Parquet's own need seven.
    private static let depthLimit = 32

    enum Kind: UInt8 {
        case yes = 1, no, byte, int16, int32, int64, double, binary, list, set, map, structure, uuid
    }

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, at offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    private var fault: ParquetFault { .badThrift(offset: offset) }

    /// Moves to the next field of a structure and gives its number; nil after the last.
    @_lifetime(self: copy self)
    mutating func field(_ id: inout Int) throws(ParquetFault) -> Kind? {
        let head = try byte()
        if head == 0 { return nil }
        guard let kind = Kind(rawValue: head & 0x0F) else { throw fault }
        // The upper bits are the increase of the number; 0 means that the number follows.
        id = head >> 4 == 0 ? Int(truncatingIfNeeded: try zigzag()) : id + Int(head >> 4)
        return kind
    }

    @_lifetime(self: copy self)
    mutating func integer(_ kind: Kind) throws(ParquetFault) -> Int {
        switch kind {
        case .byte: Int(Int8(bitPattern: try byte()))
        case .int16, .int32, .int64: Int(try zigzag())
        default: throw fault
        }
    }

    func bool(_ kind: Kind) throws(ParquetFault) -> Bool {
        guard kind == .yes || kind == .no else { throw fault }
        return kind == .yes
    }

    @_lifetime(copy self)
    @_lifetime(self: copy self)
    mutating func binary(_ kind: Kind) throws(ParquetFault) -> Span<UInt8> {
        guard kind == .binary else { throw fault }
        let length = try varint()
        guard length <= UInt64(bytes.count - offset) else { throw fault }
        offset += Int(length)
        return bytes.extracting(offset - Int(length)..<offset)
    }

    @_lifetime(self: copy self)
    mutating func text(_ kind: Kind) throws(ParquetFault) -> String {
        String(copying: try binary(kind))
    }

    /// The kind and the number of a list's elements, each of which takes at least one byte.
    @_lifetime(self: copy self)
    mutating func list(_ kind: Kind) throws(ParquetFault) -> (kind: Kind, count: Int) {
        guard kind == .list || kind == .set else { throw fault }
        let head = try byte()
        let count = head >> 4 == 15 ? try varint() : UInt64(head >> 4)
        // Some writers give an empty list no kind.
        guard let element = Kind(rawValue: head & 0x0F) ?? (count == 0 ? .byte : nil),
            count <= UInt64(bytes.count - offset)
        else { throw fault }
        return (element, Int(count))
    }

    /// The number of elements of a list of structures.
    @_lifetime(self: copy self)
    mutating func structures(_ kind: Kind) throws(ParquetFault) -> Int {
        let (element, count) = try list(kind)
        guard element == .structure || count == 0 else { throw fault }
        return count
    }

    @_lifetime(self: copy self)
    mutating func expect(_ kind: Kind, _ wanted: Kind) throws(ParquetFault) {
        guard kind == wanted else { throw fault }
    }

    @_lifetime(self: copy self)
    mutating func skip(_ kind: Kind, depth: Int = 0) throws(ParquetFault) {
        guard depth < Self.depthLimit else { throw fault }
        switch kind {
        case .yes, .no: break
        case .byte: _ = try byte()
        case .int16, .int32, .int64: _ = try varint()
        case .double: try skip(bytes: 8)
        case .uuid: try skip(bytes: 16)
        case .binary: _ = try binary(kind)
        case .list, .set:
            let (element, count) = try list(kind)
            for _ in 0..<count { try skip(element: element, depth: depth + 1) }
        case .map:
            let count = try varint()
            guard count <= UInt64(bytes.count - offset) else { throw fault }
            let kinds = count == 0 ? 0 : try byte()
            for _ in 0..<count {
                for bits in [kinds >> 4, kinds & 0x0F] {
                    guard let kind = Kind(rawValue: bits) else { throw fault }
                    try skip(element: kind, depth: depth + 1)
                }
            }
        case .structure:
            var id = 0
            while let kind = try field(&id) { try skip(kind, depth: depth + 1) }
        }
    }

    /// In lists and maps a truth value takes a byte; as a field it is part of the kind.
    @_lifetime(self: copy self)
    private mutating func skip(element kind: Kind, depth: Int) throws(ParquetFault) {
        if kind == .yes || kind == .no { try skip(bytes: 1) } else { try skip(kind, depth: depth) }
    }

    @_lifetime(self: copy self)
    private mutating func skip(bytes count: Int) throws(ParquetFault) {
        guard count <= bytes.count - offset else { throw fault }
        offset += count
    }

    @_lifetime(self: copy self)
    private mutating func byte() throws(ParquetFault) -> UInt8 {
        guard offset < bytes.count else { throw fault }
        offset += 1
        return bytes[offset - 1]
    }

    @_lifetime(self: copy self)
    private mutating func varint() throws(ParquetFault) -> UInt64 {
        guard let value = Varint.read(bytes, &offset, end: bytes.count) else { throw fault }
        return value
    }

    @_lifetime(self: copy self)
    private mutating func zigzag() throws(ParquetFault) -> Int64 {
        Varint.zigzag(try varint())
    }
}
