import Expressions
import JSON
import Points

extension PartialState {
    func write(to sink: inout ByteSink) {
        switch self {
        case .count(let count):
            sink.write(0)
            sink.write(count)
        case .number(let number):
            sink.write(1)
            sink.write(number)
        case .mean(let sum, let count):
            sink.write(2)
            for number in [sum, count] { sink.write(number) }
        case .spread(let count, let mean, let squares):
            sink.write(3)
            for number in [count, mean, squares] { sink.write(number) }
        case .bool(let flag):
            sink.write(4)
            sink.write(flag)
        case .numbers(let numbers):
            sink.write(5)
            sink.write(numbers) { $0.write($1) }
        case .sketch(let sketch):
            sink.write(6)
            sketch.write(to: &sink)
        case .tally(let occurrences):
            sink.write(7)
            sink.write(occurrences) { sink, occurrence in
                occurrence.value.write(to: &sink)
                sink.write(occurrence.count)
            }
        case .value(let value):
            sink.write(8)
            value.write(to: &sink)
        case .values(let values):
            sink.write(9)
            sink.write(values) { $1.write(to: &$0) }
        case .properties(let values):
            sink.write(10)
            sink.write(values) { $1.write(to: &$0) }
        }
    }

    init(from source: inout ByteSource) throws(CellBytesError) {
        switch try source.int() {
        case 0: self = .count(try source.int())
        case 1: self = .number(try source.double())
        case 2: self = .mean(sum: try source.double(), count: try source.double())
        case 3:
            self = .spread(
                count: try source.double(), mean: try source.double(),
                squares: try source.double())
        case 4: self = .bool(try source.bool())
        case 5:
            self = .numbers(
                try source.array { source throws(CellBytesError) in try source.double() })
        case 6: self = .sketch(try QuantileSketch(from: &source))
        case 7:
            self = .tally(
                try source.array { source throws(CellBytesError) in
                    Occurrence(
                        value: try AttributeValue(from: &source), count: try source.int())
                })
        case 8: self = .value(try AttributeValue(from: &source))
        case 9:
            self = .values(
                try source.array { source throws(CellBytesError) in
                    try AttributeValue(from: &source)
                })
        case 10:
            self = .properties(
                try source.array { source throws(CellBytesError) in
                    try JSONValue(from: &source, depth: 0)
                })
        default: throw source.fail()
        }
    }
}

extension AttributeValue {
    fileprivate func write(to sink: inout ByteSink) {
        switch self {
        case .text(let text):
            sink.write(0)
            sink.write(text)
        case .number(let number):
            sink.write(1)
            sink.write(number)
        case .integer(let integer):
            sink.write(2)
            sink.write(fixed: UInt64(bitPattern: integer))
        case .unsigned(let unsigned):
            sink.write(3)
            sink.write(fixed: unsigned)
        case .bool(let flag):
            sink.write(4)
            sink.write(flag)
        }
    }

    fileprivate init(from source: inout ByteSource) throws(CellBytesError) {
        switch try source.int() {
        case 0: self = .text(try source.text())
        case 1: self = .number(try source.double())
        case 2: self = .integer(Int64(bitPattern: try source.fixed()))
        case 3: self = .unsigned(try source.fixed())
        case 4: self = .bool(try source.bool())
        default: throw source.fail()
        }
    }
}

extension JSONValue {
    fileprivate func write(to sink: inout ByteSink) {
        switch self {
        case .null: sink.write(0)
        case .bool(let flag):
            sink.write(1)
            sink.write(flag)
        case .integer(let integer):
            sink.write(2)
            sink.write(fixed: UInt64(bitPattern: integer))
        case .number(let number):
            sink.write(3)
            sink.write(number)
        case .string(let text):
            sink.write(4)
            sink.write(text)
        case .array(let elements):
            sink.write(5)
            sink.write(elements) { $1.write(to: &$0) }
        case .object(let object):
            sink.write(6)
            sink.write(object.members) { sink, member in
                sink.write(member.key)
                member.value.write(to: &sink)
            }
        }
    }

    fileprivate init(from source: inout ByteSource, depth: Int) throws(CellBytesError) {
        // Deeper than any reader of ours lets values be, so what is written is never refused.
        guard depth < 1_000 else { throw source.fail() }
        switch try source.int() {
        case 0: self = .null
        case 1: self = .bool(try source.bool())
        case 2: self = .integer(Int64(bitPattern: try source.fixed()))
        case 3: self = .number(try source.double())
        case 4: self = .string(try source.text())
        case 5:
            self = .array(
                try source.array { source throws(CellBytesError) in
                    try JSONValue(from: &source, depth: depth + 1)
                })
        case 6:
            self = .object(
                JSONObject(
                    try source.array { source throws(CellBytesError) in
                        JSONObject.Member(
                            key: try source.text(),
                            value: try JSONValue(from: &source, depth: depth + 1))
                    }))
        default: throw source.fail()
        }
    }
}
