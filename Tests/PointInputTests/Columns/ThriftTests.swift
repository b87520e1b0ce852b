import TestSupport
import Testing

@testable import PointInput

/// Structures in Thrift's compact protocol, written by a writer of the tests' own.
struct ThriftTests {
    private typealias Kind = ThriftCursor.Kind

    private static func varint(_ number: UInt64) -> [UInt8] {
        number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
    }

    private static func zigzag(_ number: Int64) -> [UInt8] {
        varint(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    private static let kinds: [Kind] = [
        .yes, .no, .byte, .int16, .int32, .int64, .double, .binary, .list, .set, .map, .structure,
        .uuid,
    ]

    /// A value of a kind; in lists truth takes a byte.
    private static func value(
        _ kind: Kind, inList: Bool, depth: Int, _ random: inout SeededRandom
    ) -> [UInt8] {
        func inner() -> Kind {
            let all = depth > 2 ? [.byte, .int32, .binary] : Self.kinds
            return all[Int(random.next() % UInt64(all.count))]
        }
        switch kind {
        case .yes, .no: return inList ? [1] : []
        case .byte: return [UInt8(random.next() & 255)]
        case .int16, .int32, .int64:
            return zigzag(Int64(bitPattern: random.next()) >> Int64(random.next() % 60))
        case .double: return [UInt8](repeating: 7, count: 8)
        case .uuid: return [UInt8](repeating: 7, count: 16)
        case .binary:
            let count = [0, 1, 5, 200][Int(random.next() % 4)]
            return varint(UInt64(count)) + [UInt8](repeating: 0x61, count: count)
        case .list, .set:
            let (count, kind) = ([0, 1, 3, 14, 15, 20][Int(random.next() % 6)], inner())
            let head =
                count < 15
                // An empty list may have no kind.
                ? [UInt8(count) << 4 | (count == 0 ? 0 : kind.rawValue)]
                : [0xF0 | kind.rawValue] + varint(UInt64(count))
            return (0..<count).reduce(head) { bytes, _ in
                bytes + value(kind, inList: true, depth: depth + 1, &random)
            }
        case .map:
            let (count, key, content) = (Int(random.next() % 3), inner(), inner())
            let head =
                varint(UInt64(count)) + (count == 0 ? [] : [key.rawValue << 4 | content.rawValue])
            return (0..<count).reduce(head) { bytes, _ in
                bytes + value(key, inList: true, depth: depth + 1, &random)
                    + value(content, inList: true, depth: depth + 1, &random)
            }
        case .structure: return structure(depth: depth + 1, &random).bytes
        }
    }

    private static func structure(
        depth: Int, _ random: inout SeededRandom
    ) -> (bytes: [UInt8], fields: [(id: Int, kind: Kind)]) {
        var (bytes, fields, id) = ([UInt8](), [(id: Int, kind: Kind)](), 0)
        for _ in 0..<random.next() % (depth > 2 ? 2 : 5) {
            let kind = kinds[Int(random.next() % UInt64(kinds.count))]
            let step = [1, 2, 15, 16, 300, -7][Int(random.next() % 6)]
            id += step
            bytes +=
                (1...15).contains(step)
                ? [UInt8(step) << 4 | kind.rawValue] : [kind.rawValue] + zigzag(Int64(id))
            bytes += value(kind, inList: false, depth: depth, &random)
            fields.append((id, kind))
        }
        return (bytes + [0], fields)
    }

    /// All fields of a structure, passed over one by one.
    private static func walk(_ bytes: [UInt8]) throws(ParquetFault) -> (
        fields: [(Int, Kind)], end: Int
    ) {
        var cursor = ThriftCursor(bytes.span)
        var (fields, id) = ([(Int, Kind)](), 0)
        while let kind = try cursor.field(&id) {
            fields.append((id, kind))
            try cursor.skip(kind)
        }
        return (fields, cursor.offset)
    }

    @Test(arguments: 0..<8)
    func `every field is found and passed over, and what is cut off is missed`(seed: UInt64) throws
    {
        var random = SeededRandom(seed: seed)
        for _ in 0..<25 {
            let (bytes, fields) = Self.structure(depth: 0, &random)
            let found = try Self.walk(bytes + [9, 9])
            #expect(found.end == bytes.count)
            #expect(found.fields.map(\.0) == fields.map(\.id))
            #expect(found.fields.map(\.1) == fields.map(\.kind))
            for end in bytes.indices where end < 60 || end % 17 == 0 {
                #expect(throws: ParquetFault.self) { _ = try Self.walk(Array(bytes[..<end])) }
            }
        }
    }

    /// What a body reads of some bytes, or what is wrong with them.
    private static func read<Value>(
        _ bytes: [UInt8], _ body: (inout ThriftCursor) throws(ParquetFault) -> Value
    ) -> Value? {
        var cursor = ThriftCursor(bytes.span)
        return try? body(&cursor)
    }

    @Test func `a value is what its kind says, and no other`() {
        for kind in Self.kinds {
            let isNumber = [.byte, .int16, .int32, .int64].contains(kind)
            #expect(
                (Self.read([5]) { c throws(ParquetFault) in try c.integer(kind) } != nil)
                    == isNumber)
            let isTruth = [.yes, .no].contains(kind)
            #expect(
                (Self.read([]) { c throws(ParquetFault) in try c.bool(kind) } != nil) == isTruth)
            let isText = kind == .binary
            #expect(
                (Self.read([1, 65]) { c throws(ParquetFault) in try c.text(kind) } == "A") == isText
            )
            let isList = [.list, .set].contains(kind)
            let count = Self.read([0x2C, 0, 0]) { c throws(ParquetFault) in try c.structures(kind) }
            #expect(count == (isList ? 2 : nil))
            #expect(
                (Self.read([]) { c throws(ParquetFault) in try c.expect(kind, .map) } != nil)
                    == (kind == .map))
        }
        #expect(Self.read([0xFF]) { c throws(ParquetFault) in try c.integer(.byte) } == -1)
        #expect(Self.read([3]) { c throws(ParquetFault) in try c.integer(.int32) } == -2)
        #expect(Self.read([]) { c throws(ParquetFault) in try c.bool(.yes) } == true)
        #expect(Self.read([]) { c throws(ParquetFault) in try c.bool(.no) } == false)
        // No kind is 0 or 14, as a field, in a list and in a map.
        for kind: UInt8 in [0, 14, 15] {
            #expect(
                Self.read([0x10 | kind]) { c throws(ParquetFault) in try c.list(.list).count }
                    == nil)
            #expect(
                Self.read([1, 0x30 | kind, 1, 1]) { c throws(ParquetFault) in try c.skip(.map) }
                    == nil)
            #expect(
                Self.read([1, kind << 4 | 3, 1, 1]) { c throws(ParquetFault) in try c.skip(.map) }
                    == nil)
        }
    }

    @Test func `counts past the bytes that follow are refused, and so are lists of others`() {
        for (bytes, count) in [
            ([0x23, 1, 1], 2), ([0x33, 1, 1], nil), ([0xF3, 2, 1, 1], 2), ([0xF3, 3, 1, 1], nil),
        ] as [([UInt8], Int?)] {
            #expect(Self.read(bytes) { c throws(ParquetFault) in try c.list(.list).count } == count)
        }
        #expect(Self.read([0x13, 0]) { c throws(ParquetFault) in try c.structures(.list) } == nil)
        #expect(Self.read([0x03]) { c throws(ParquetFault) in try c.structures(.list) } == 0)
        for (bytes, length) in [([2, 1, 1], 2), ([3, 1, 1], nil), ([0], 0)] as [([UInt8], Int?)] {
            #expect(
                Self.read(bytes) { c throws(ParquetFault) in try c.binary(.binary).count } == length
            )
        }
        #expect(Self.read([3, 0x33, 1, 1]) { c throws(ParquetFault) in try c.skip(.map) } == nil)
    }

    @Test(arguments: [(31, true), (32, false)])
    func `structures nest thirty-two deep, and no deeper`(depth: Int, isRead: Bool) {
        let bytes = [UInt8](repeating: 0x1C, count: depth) + [UInt8](repeating: 0, count: depth + 1)
        #expect(
            (Self.read(bytes) { c throws(ParquetFault) in try c.skip(.structure) } != nil) == isRead
        )
    }
}
