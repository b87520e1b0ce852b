import Basics

/// Reads a message in the encoding of Protocol Buffers, from an untrusted file.
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

    /// All bytes that are left.
    var rest: [UInt8] { Array(bytes[offset..<end]) }

    mutating func varint() throws(ClusterBlockError) -> UInt64 {
        var next = offset
        guard let value = Varint.read(bytes.span, &next, end: end) else {
            throw .garbled("a number is cut short")
        }
        offset = next
        return value
    }

    /// The next field; nil after the last.
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

    /// The rest as a packed list of at most `most` numbers: a few bytes of gzip may inflate to millions.
    func list<Value>(
        most: Int, _ value: (UInt64) -> Value
    ) throws(ClusterBlockError) -> [Value] {
        var reader = self
        var values: [Value] = []
        while !reader.isAtEnd {
            guard values.count < most else { throw .garbled("a list is longer than it can be") }
            values.append(value(try reader.varint()))
        }
        return values
    }
}

/// The numbers and lists of a message that is alone in a vector tile.
struct MessageFields {
    let format: UInt64
    private var numbers: [UInt64: UInt64] = [:]
    private var lists: [UInt64: MessageReader] = [:]

    /// The highest field number of any message.
    private static let last: UInt64 = 15

    /// - Parameter field: the field of the tile that holds the message.
    init(_ field: UInt64, of tile: [UInt8]) throws(ClusterBlockError) {
        var message = try Self.message(field, in: tile)
        while let (number, value) = try message.next() {
            guard number <= Self.last else { continue }
            switch value {
            case .number(let value): numbers[number] = value
            case .bytes(let list): lists[number] = list
            }
        }
        guard let format = numbers[BlockField.format], format > 0 else {
            throw .garbled("it does not state its format")
        }
        guard format <= ClusterBlock.format else { throw .newerFormat(format) }
        self.format = format
    }

    static func message(
        _ field: UInt64, in tile: [UInt8]
    ) throws(ClusterBlockError) -> MessageReader {
        var reader = MessageReader(tile)
        while let (number, value) = try reader.next() {
            if number == field, case .bytes(let message) = value { return message }
        }
        throw .garbled("it is missing")
    }

    func number(_ field: UInt64) -> UInt64? { numbers[field] }

    /// A list; empty if the field is missing.
    func list(_ field: UInt64, most: Int) throws(ClusterBlockError) -> [UInt64] {
        try lists[field]?.list(most: most) { $0 } ?? []
    }

    /// A list of signed numbers; empty if the field is missing.
    func signedList(_ field: UInt64, most: Int) throws(ClusterBlockError) -> [Int64] {
        try lists[field]?.list(most: most, Varint.zigzag) ?? []
    }

    /// Points from a list of the differences of their coordinates.
    func points(_ field: UInt64, most: Int) throws(ClusterBlockError) -> [GridPoint] {
        let steps = try signedList(field, most: 2 * most)
        guard steps.count % 2 == 0 else { throw .garbled("a list of corners is cut short") }
        var points: [GridPoint] = []
        var last = GridPoint(x: 0, y: 0)
        for index in stride(from: 0, to: steps.count, by: 2) {
            last = try last.moved(steps[index], steps[index + 1])
            points.append(last)
        }
        return points
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
