import Expressions
import JSON
import Points

extension PartialState {
    /// Writes values in an order that does not change from run to run.
    private static func write(_ tally: [Occurrence], to sink: inout BlockSink) {
        let packed = tally.map { occurrence in
            var sink = BlockSink()
            occurrence.value.write(to: &sink)
            sink.write(varint: occurrence.count)
            return sink.bytes
        }
        sink.write(packed.sorted { $0.lexicographicallyPrecedes($1) }) { $0.append($1) }
    }

    func write(to sink: inout BlockSink) {
        switch self {
        case .count(let count):
            sink.write(byte: 0)
            sink.write(varint: count)
        case .number(let number):
            sink.write(byte: 1)
            sink.write(number)
        case .mean(let sum, let count):
            sink.write(byte: 2)
            for number in [sum, count] { sink.write(number) }
        case .spread(let count, let mean, let squares):
            sink.write(byte: 3)
            for number in [count, mean, squares] { sink.write(number) }
        case .bool(let flag):
            sink.write(byte: 4)
            sink.write(byte: flag ? 1 : 0)
        case .numbers(let numbers):
            sink.write(byte: 5)
            sink.write(numbers) { $0.write($1) }
        case .sketch(let sketch):
            sink.write(byte: 6)
            sketch.write(to: &sink)
        case .tally(let occurrences):
            sink.write(byte: 7)
            Self.write(occurrences, to: &sink)
        case .value(let value):
            sink.write(byte: 8)
            value.write(to: &sink)
        case .values(let values):
            sink.write(byte: 9)
            sink.write(values) { $1.write(to: &$0) }
        case .properties(let values):
            sink.write(byte: 10)
            sink.write(values) { $1.write(to: &$0) }
        case .slots(let slots):
            sink.write(byte: 11)
            sink.write(slots) { $1.write(to: &$0) }
        }
    }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        switch try source.byte() {
        case 0: self = .count(try source.varint())
        case 1: self = .number(try source.double())
        case 2: self = .mean(sum: try source.double(), count: try source.double())
        case 3:
            self = .spread(
                count: try source.double(), mean: try source.double(),
                squares: try source.double())
        case 4: self = .bool(try source.byte() != 0)
        case 5:
            self = .numbers(
                try source.array { source throws(BlockSource.Damaged) in try source.double() })
        case 6: self = .sketch(try QuantileSketch(from: &source))
        case 7:
            self = .tally(
                try source.array { source throws(BlockSource.Damaged) in
                    Occurrence(
                        value: try AttributeValue(from: &source), count: try source.varint())
                })
        case 8: self = .value(try AttributeValue(from: &source))
        case 9:
            self = .values(
                try source.array { source throws(BlockSource.Damaged) in
                    try AttributeValue(from: &source)
                })
        case 10:
            self = .properties(
                try source.array { source throws(BlockSource.Damaged) in
                    try JSONValue(from: &source, depth: 0)
                })
        case 11:
            self = .slots(
                try source.array { source throws(BlockSource.Damaged) in
                    guard let slot = UInt16(exactly: try source.varint()) else {
                        throw BlockSource.Damaged()
                    }
                    return Slot(slot: slot, number: try source.double())
                })
        default: throw BlockSource.Damaged()
        }
    }
}

extension JSONValue {
    fileprivate func write(to sink: inout BlockSink) {
        switch self {
        case .null: sink.write(byte: 0)
        case .bool(let flag):
            sink.write(byte: 1)
            sink.write(byte: flag ? 1 : 0)
        case .integer(let integer):
            sink.write(byte: 2)
            sink.write(UInt64(bitPattern: integer))
        case .number(let number):
            sink.write(byte: 3)
            sink.write(number)
        case .unsigned(let integer):
            // No expression has such a value: its numbers are doubles.
            sink.write(byte: 3)
            sink.write(Double(integer))
        case .string(let text):
            sink.write(byte: 4)
            sink.write(text)
        case .array(let elements):
            sink.write(byte: 5)
            sink.write(elements) { $1.write(to: &$0) }
        case .object(let object):
            sink.write(byte: 6)
            sink.write(object.members) { sink, member in
                sink.write(member.key)
                member.value.write(to: &sink)
            }
        }
    }

    fileprivate init(from source: inout BlockSource, depth: Int) throws(BlockSource.Damaged) {
        // No reader of ours accepts values this deep, so nothing that was written is refused.
        guard depth < 1_000 else { throw BlockSource.Damaged() }
        switch try source.byte() {
        case 0: self = .null
        case 1: self = .bool(try source.byte() != 0)
        case 2: self = .integer(Int64(bitPattern: try source.unsigned()))
        case 3: self = .number(try source.double())
        case 4: self = .string(try source.text())
        case 5:
            self = .array(
                try source.array { source throws(BlockSource.Damaged) in
                    try JSONValue(from: &source, depth: depth + 1)
                })
        case 6:
            self = .object(
                JSONObject(
                    try source.array { source throws(BlockSource.Damaged) in
                        JSONObject.Member(
                            key: try source.text(),
                            value: try JSONValue(from: &source, depth: depth + 1))
                    }))
        default: throw BlockSource.Damaged()
        }
    }
}

extension PartialState.Slot {
    fileprivate func write(to sink: inout BlockSink) {
        sink.write(varint: Int(slot))
        sink.write(number)
    }
}
