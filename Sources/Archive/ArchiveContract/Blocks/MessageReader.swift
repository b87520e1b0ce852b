import Basics

/// Reads a message in the encoding of Protocol Buffers, which may be a stranger's.
struct MessageReader {
    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int

    enum Value {
        case number(UInt64)
        case bytes(MessageReader)
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = 0
        end = bytes.count
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { offset == end }

    /// All that is left.
    var rest: [UInt8] { Array(bytes[offset..<end]) }

    mutating func varint() throws(ClusterBlockError) -> UInt64 {
        var next = offset
        guard let value = Varint.read(bytes.span, &next, end: end) else {
            throw .garbled("a number has no end")
        }
        offset = next
        return value
    }

    /// The next field; nil behind the last.
    mutating func next() throws(ClusterBlockError) -> (number: UInt64, value: Value)? {
        guard !isAtEnd else { return nil }
        let tag = try varint()
        let number = tag >> 3
        switch tag & 7 {
        case 0: return (number, .number(try varint()))
        case 1: return (number, .bytes(try take(8)))
        case 2:
            let length = try varint()
            guard length <= UInt64(end - offset) else { throw .garbled("a field is cut short") }
            return (number, .bytes(try take(Int(length))))
        case 5: return (number, .bytes(try take(4)))
        default: throw .garbled("a field of an unknown kind")
        }
    }

    private mutating func take(_ count: Int) throws(ClusterBlockError) -> MessageReader {
        guard count <= end - offset else { throw .garbled("a field is cut short") }
        defer { offset += count }
        return MessageReader(bytes, offset..<offset + count)
    }

    /// All of it as a packed list.
    func list() throws(ClusterBlockError) -> [UInt64] {
        var reader = self
        var values: [UInt64] = []
        while !reader.isAtEnd { values.append(try reader.varint()) }
        return values
    }

    /// The same, of numbers with a sign.
    func signedList() throws(ClusterBlockError) -> [Int64] {
        try list().map { Varint.zigzag($0) }
    }
}

/// Why the index of a leaf block cannot be read.
public enum ClusterBlockError: Error, Equatable, Sendable {
    case garbled(String)
    /// Made by a later version of Covey.
    case newerFormat(UInt64)
}

extension ClusterBlockError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .garbled(let reason): "its index makes no sense: \(reason)"
        case .newerFormat(let format):
            "its index has format \(format), and this version of covey reads formats up to "
                + "\(ClusterBlock.format); use a newer covey for it"
        }
    }
}
