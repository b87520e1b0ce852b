import JSON
import Points
import TestSupport
import Testing

@testable import Tileset

/// What metadata tell of attributes, held against plain lists of values.
struct StatisticsTests {
    private static func value(using random: inout SeededRandom, kinds: UInt64, distinct: UInt64)
        -> AttributeValue
    {
        let number = random.next() % distinct
        switch random.next() % 3 {
        case 0 where kinds & 1 == 1: return .text("t\(number)")
        case 1 where kinds & 2 == 2: return .bool(number % 2 == 0)
        default:
            guard kinds & 4 == 4 || kinds & 3 == 0 else {
                return kinds & 1 == 1 ? .text("t\(number)") : .bool(number % 2 == 0)
            }
            return number % 2 == 0 ? .integer(Int64(number) - 40) : .number(Double(number) + 0.25)
        }
    }

    private static func statistics(_ values: ArraySlice<AttributeValue>) -> FieldStatistics {
        var statistics = FieldStatistics()
        for value in values {
            var records = RecordBuilder()
            let key = AttributeKey(number: 0)
            records.append(key, value)
            let bytes = records.bytes
            if let packed = AttributeRecord(bytes.span).value(of: key) {
                statistics.include(packed)
            }
        }
        return statistics
    }

    @Test(arguments: 1...7 as ClosedRange<UInt64>, [3, 100, 101, 5_000] as [UInt64])
    func `counts, kinds and ranges are those of all values, in pieces too`(
        kinds: UInt64, distinct: UInt64
    ) {
        var random = SeededRandom(seed: kinds * 9 + distinct)
        let values = (0..<2_500).map { _ in
            Self.value(using: &random, kinds: kinds, distinct: distinct)
        }
        let cut = Int(random.next() % 2_500)
        var merged = Self.statistics(values[..<cut])
        merged.merge(Self.statistics(values[cut...]))
        for statistics in [Self.statistics(values[...]), merged] {
            let numbers = values.compactMap(\.asNumber)
            let texts = values.count { if case .text = $0 { true } else { false } }
            let bools = values.count - numbers.count - texts
            #expect(statistics.count == 2_500 && statistics.numbers == numbers.count)
            #expect(statistics.texts == texts && statistics.bools == bools)
            #expect(statistics.minimum == numbers.min() ?? .infinity)
            #expect(statistics.maximum == numbers.max() ?? -.infinity)
            let kind =
                texts == 0 && bools == 0
                ? "Number" : texts == 0 && numbers.isEmpty ? "Boolean" : "String"
            #expect(statistics.kind.rawValue == kind)
            Self.expectJSON(of: statistics, values, isWhole: statistics.count == 0)
        }
    }

    private static func expectJSON(
        of statistics: FieldStatistics, _ values: [AttributeValue], isWhole: Bool
    ) {
        let object = statistics.json(named: "n").asObject
        let numbers = values.compactMap(\.asNumber)
        let different = Set(values).count
        #expect(object?["attribute"] == "n")
        #expect(object?["count"]?.asNumber == Double(min(different, 1_000)))
        #expect(
            object?["min"]?.asNumber == numbers.min() && object?["max"]?.asNumber == numbers.max())
        let kinds = [
            numbers.isEmpty ? nil : "number", statistics.texts == 0 ? nil : "string",
            statistics.bools == 0 ? nil : "boolean",
        ].compactMap(\.self)
        #expect(object?["type"]?.asString == (kinds.count == 1 ? kinds[0] : "mixed"))
        let shown = object?["values"]?.asArray ?? []
        #expect(shown.count == min(different, 100))
        let all = Set(values.map { $0.json.text() })
        #expect(
            shown.allSatisfy { all.contains($0.text()) }
                && Set(shown.map { $0.text() }).count == shown.count)
        // Numbers first, by size; then the others, by their words.
        let ordered = shown.compactMap(\.asNumber)
        #expect(
            ordered == ordered.sorted()
                && shown.prefix(ordered.count).allSatisfy { $0.asNumber != nil })
        let words = shown.dropFirst(ordered.count).map { $0.text() }
        #expect(words == words.sorted())
    }

    @Test func `values that stand for others are counted and not shown`() {
        let texts = FieldStatistics(texts: 7)
        #expect(texts.count == 7 && texts.texts == 7 && texts.kind == .string)
        #expect(
            texts.json(named: "a") == [
                "attribute": "a", "count": 0, "type": "string", "values": [],
            ])
        let odd = Self.statistics([.number(.infinity), .integer(3), .unsigned(.max)])
        let object = odd.json(named: "b").asObject
        #expect(object?["min"] == nil && object?["max"] == nil && object?["type"] == "number")
        #expect(object?["values"]?.asArray?.contains("inf") == true)
    }

    @Test func `long values are counted and not shown, and others as many as there is room for`() {
        let texts = [300, 20, 30, 40].map { AttributeValue.text(String(repeating: "x", count: $0)) }
        let statistics = Self.statistics(texts[...])
        let shown = [40: ["20"], 60: ["20", "30"], 1_000: ["20", "30", "40"]]
        for (room, lengths) in shown {
            let object = statistics.json(named: "a", room: room).asObject
            #expect(object?["count"]?.asNumber == 4)
            let values = object?["values"]?.asArray ?? []
            #expect(values.map { "\($0.asString?.count ?? 0)" } == lengths)
        }
    }

    @Test func `a scalar is packed as a record packs it`() {
        let key = AttributeKey(number: 0)
        func packed(_ fill: (inout RecordBuilder) -> Void) -> [UInt8] {
            var records = RecordBuilder()
            fill(&records)
            return Array(records.bytes.dropFirst())
        }
        func scalar(_ fill: (inout PackedScalar) -> Void) -> [UInt8] {
            var scalar = PackedScalar()
            // What was there before is gone.
            scalar.set(shortText: "before")
            fill(&scalar)
            let span = scalar.span
            return span.indices.map { span[$0] }
        }
        for number in [
            0, -0.0, 1, -1, 127, 128, -128, 0.5, -0.25, 0.1, 1e300, 0x1p53, -0x1p53, 0x1p53 + 2,
            0x1p54,
            .infinity, 3.000_000_1, 16_777_217.5,
        ] {
            #expect(
                scalar { $0.set(number: number) } == packed { $0.append(key, number: number) },
                "\(number)")
        }
        for number in [0, 127, 128, 1 << 40, .max] as [UInt64] {
            #expect(
                scalar { $0.set(unsigned: number) }
                    == packed { $0.append(key, AttributeValue.unsigned(number)) })
        }
        for flag in [true, false] {
            #expect(scalar { $0.set(bool: flag) } == packed { $0.append(key, bool: flag) })
        }
        for text in ["", "é", String(repeating: "x", count: 78)] {
            #expect(scalar { $0.set(shortText: text) } == packed { $0.append(key, text: text) })
        }
    }

    @Test(arguments: [1.0, 8, 24, 90, 100], [2, 3, 12, 13, 60, 1_000])
    func `points of one place stand apart, on a ring or a spiral that does not reach too far`(
        apart: Double, count: Int
    ) {
        let offsets = SpreadPoints.offsets(count, apart: apart)
        #expect(offsets.count == count)
        let distances = offsets.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }
        #expect(distances.allSatisfy { $0 <= 200.000_001 && $0 > 0 })
        if count <= 12 {
            let radius = max(Double(count) * apart / (2 * .pi), apart)
            #expect(distances.allSatisfy { abs($0 - radius) < 1e-9 })
            // The first to the north, and on from there clockwise.
            #expect(abs(offsets[0].x) < 1e-9 && offsets[0].y < 0)
            #expect(count == 2 || offsets[1].x > 0)
        } else {
            #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 <= $1 + 1e-9 })
            let room = .pi * (200 - apart) * (200 - apart)
            let own = min(apart, (room / Double(count)).squareRoot())
            #expect(abs(distances[0] - own) < 1e-9 && abs(offsets[0].y) < 1e-9)
        }
    }
}
