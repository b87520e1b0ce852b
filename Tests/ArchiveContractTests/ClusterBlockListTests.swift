import Basics
import Testing

@testable import ArchiveContract

/// Every list and number of a block's index, as a stranger may have written it.
struct ClusterBlockListTests {
    private typealias Fields = [(number: UInt64, value: Value)]

    private enum Value {
        case number(UInt64)
        case bytes([UInt8])
    }

    /// The sample, with a row whose name is not its place.
    private static let block: ClusterBlock = {
        var block = ClusterBlockTests.block
        block.rows[1].shift = 3
        block.rows[3].shift = -2
        return block
    }()

    private static func fields(_ message: MessageReader) throws -> Fields {
        var message = message
        var fields: Fields = []
        while let (number, value) = try message.next() {
            switch value {
            case .number(let value): fields.append((number, .number(value)))
            case .bytes(let reader): fields.append((number, .bytes(reader.rest)))
            }
        }
        return fields
    }

    private static func bytes(_ fields: Fields) -> [UInt8] {
        var message = MessageWriter()
        for (number, value) in fields {
            switch value {
            case .number(let value): message.field(number, value)
            case .bytes(let bytes): message.field(number, bytes: bytes)
            }
        }
        return message.bytes
    }

    private static func refusal(_ fields: Fields) -> ClusterBlockError? {
        var tile = MessageWriter()
        tile.field(BlockField.index, bytes: bytes(fields))
        do {
            _ = try ClusterBlockTests.unpacked(tile.bytes)
            return nil
        } catch {
            return error
        }
    }

    private static func packed(_ values: [UInt64]) -> [UInt8] {
        var list = MessageWriter()
        for value in values { list.varint(value) }
        return list.bytes
    }

    private static func sample() throws -> Fields {
        try fields(MessageFields.message(BlockField.index, in: block.packed))
    }

    @Test func `a row's name and place come back`() throws {
        let read = try ClusterBlockTests.unpacked(Self.block.packed)
        #expect(read == Self.block && read.rows.map(\.shift) == [0, 3, 0, -2])
        #expect(Self.refusal(try Self.sample()) == nil)
    }

    @Test func `a list that is longer or shorter by one is refused`() throws {
        let fields = try Self.sample()
        var tried = 0
        for (index, field) in fields.enumerated() {
            guard case .bytes(let bytes) = field.value else { continue }
            let values = try MessageReader(bytes).list(most: .max) { $0 }
            for other in [Array(values.dropLast()), values + [2]] {
                var changed = fields
                changed[index].value = .bytes(Self.packed(other))
                #expect(Self.refusal(changed) != nil, "field \(field.number): \(other)")
                tried += 1
            }
        }
        #expect(tried == 14)
    }

    @Test func `a field that is missing is missed, and no more than that`() throws {
        let fields = try Self.sample()
        for (index, field) in fields.enumerated() {
            var changed = fields
            changed.remove(at: index)
            // A block may do without corners, and names of its own.
            let mayBeMissing = [BlockField.hull, RowFields.ofBlock.shifted].contains(field.number)
            #expect((Self.refusal(changed) == nil) == mayBeMissing, "field \(field.number)")
        }
    }

    @Test func `numbers are taken up to their bounds`() throws {
        let fields = try Self.sample()
        let shift = ContractNumber.shift.range
        let (least, most) = (Varint.zigzag(shift.lowerBound), Varint.zigzag(shift.upperBound))
        let row = { (number: Int64) in Varint.zigzag(number) }
        for (number, value, isTaken) in [
            (RowFields.ofBlock.shifted, .bytes(Self.packed([row(0), least])), true),
            (RowFields.ofBlock.shifted, .bytes(Self.packed([row(3), most])), true),
            (RowFields.ofBlock.shifted, .bytes(Self.packed([row(0), least + 2])), false),
            (RowFields.ofBlock.shifted, .bytes(Self.packed([row(0), most + 2])), false),
            (RowFields.ofBlock.shifted, .bytes(Self.packed([row(4), 2])), false),
            (RowFields.ofBlock.shifted, .bytes(Self.packed([row(-1), 2])), false),
            (BlockField.format, .number(0), false), (BlockField.format, .number(3), false),
            (BlockField.leaves, .number(301), false), (BlockField.leaves, .number(.max), false),
        ] as [(UInt64, Value, Bool)] {
            var changed = fields
            let index = try #require(changed.firstIndex { $0.number == number })
            changed[index].value = value
            #expect((Self.refusal(changed) == nil) == isTaken, "field \(number): \(value)")
        }
    }
}
