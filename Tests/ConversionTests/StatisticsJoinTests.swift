import JSON
import TestSupport
import Testing

@testable import Conversion

/// `tilestats` of random layers, joined in any order, held against what all values together would say.
struct StatisticsJoinTests {
    /// The values of each attribute of a layer.
    private typealias Values = [String: Set<JSONValue>]

    private static func values(using random: inout SeededRandom, most: Int) -> Values {
        var values: Values = [:]
        for name in ["n", "kind", "mixed", "rare", "id"] where random.next() % 4 != 0 {
            let count = 1 + Int(random.next() % UInt64(most))
            values[name] = Set(
                (0..<count).map { _ in
                    let number = Int64(random.next() % 90) - 40
                    let isNumber = name == "n" || name == "id" || name == "mixed" && number > 0
                    return isNumber
                        ? number % 3 == 0 ? .number(Double(number) + 0.5) : .integer(number)
                        : .string("k\(number)")
                })
        }
        return values
    }

    private static func sorted(_ values: Set<JSONValue>) -> [JSONValue] {
        let numbers = values.filter { $0.asNumber != nil }.sorted { $0.asNumber! < $1.asNumber! }
        return numbers + values.filter { $0.asNumber == nil }.sorted { $0.text() < $1.text() }
    }

    private static func entry(_ name: String, _ values: Set<JSONValue>) -> JSONValue {
        let numbers = values.compactMap(\.asNumber)
        let hasTexts = numbers.count < values.count
        var entry: JSONObject = [
            "attribute": .string(name), "count": .integer(Int64(values.count)),
            "type": .string(hasTexts ? numbers.isEmpty ? "string" : "mixed" : "number"),
            "values": .array(Array(sorted(values).prefix(100))),
        ]
        entry["min"] = numbers.min().map(JSONValue.init(canonical:))
        entry["max"] = numbers.max().map(JSONValue.init(canonical:))
        return .object(entry)
    }

    private static func layer(_ name: String, _ count: Int, _ values: Values) -> JSONValue {
        let attributes = values.sorted { $0.key < $1.key }.map { entry($0.key, $0.value) }
        return [
            "layer": .string(name), "count": .integer(Int64(count)), "geometry": "Point",
            "attributeCount": .integer(Int64(attributes.count)), "attributes": .array(attributes),
        ]
    }

    private static func joined(_ layers: [JSONValue]) -> JSONObject? {
        var join = LayerStatisticsJoin()
        for layer in layers { join.add(["layerCount": 1, "layers": [layer]]) { _ in (0, []) } }
        return join.json(inOrderOf: ["a"]).asObject
    }

    private static func attributes(_ stats: JSONObject?) -> [String: JSONValue] {
        let layer = stats?["layers"]?.asArray?.first?.asObject
        let entries = layer?["attributes"]?.asArray ?? []
        return Dictionary(
            uniqueKeysWithValues: entries.map { ($0.asObject?["attribute"]?.asString ?? "", $0) })
    }

    @Test(arguments: 0..<30)
    func `layers of one name say together what one layer of all values says`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let parts = (0..<3).map { _ in Self.values(using: &random, most: 40) }
        let all = parts.reduce(into: Values()) { $0.merge($1) { $0.union($1) } }
        let layers = parts.enumerated().map { Self.layer("a", 10 * $0 + 7, $1) }
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let stats = Self.joined(order.map { layers[$0] })
            let layer = stats?["layers"]?.asArray?.first?.asObject
            #expect(stats?["layerCount"] == 1 && layer?["count"] == .integer(7 + 17 + 27))
            #expect(layer?["attributeCount"] == .integer(Int64(all.count)))
            let expected = all.map { ($0.key, Self.entry($0.key, $0.value)) }
            #expect(Self.attributes(stats) == Dictionary(uniqueKeysWithValues: expected))
        }
    }

    @Test func `of more values than are listed the least are, and their number is no guess`() {
        func layer(_ range: Range<Int64>) -> JSONValue {
            Self.layer("a", 1, ["n": Set(range.map { .integer($0) })])
        }
        for ranges in [[0..<60, 50..<130], [50..<130, 0..<60]] {
            let stats = Self.joined(
                ranges.map { layer(Int64($0.lowerBound)..<Int64($0.upperBound)) })
            let entry = Self.attributes(stats)["n"]?.asObject
            #expect(entry?["count"] == 130 && entry?["min"] == 0 && entry?["max"] == 129)
            #expect(entry?["values"] == .array((0..<100).map { .integer($0) }))
        }
        // Where not all are listed, it is the greatest that is sure.
        var join = LayerStatisticsJoin()
        for range in [0..<150, 140..<160] as [Range<Int64>] {
            #expect(join.isExact)
            join.add(["layers": [layer(range)]]) { _ in (0, []) }
        }
        #expect(!join.isExact)
        let entry = Self.attributes(join.json(inOrderOf: []).asObject)["n"]?.asObject
        #expect(entry?["count"] == 150)
        // The other way round too, and both whole stay exact.
        var turned = LayerStatisticsJoin()
        for range in [140..<160, 0..<150] as [Range<Int64>] {
            turned.add(["layers": [layer(range)]]) { _ in (0, []) }
        }
        #expect(!turned.isExact)
        let other = Self.attributes(turned.json(inOrderOf: []).asObject)["n"]?.asObject
        #expect(other?["count"] == 150)
        var whole = LayerStatisticsJoin()
        for range in [0..<60, 50..<130] as [Range<Int64>] {
            whole.add(["layers": [layer(range)]]) { _ in (0, []) }
        }
        #expect(whole.isExact)
        let many = Self.joined([layer(0..<1_400), layer(0..<1_300)])
        #expect(Self.attributes(many)["n"]?.asObject?["count"] == 1_000)
    }

    @Test func `entries that are none are passed over, and those behind them count`() {
        var join = LayerStatisticsJoin()
        let entries: [JSONValue] = [
            7, ["count": 3], Self.layer("a", 1, ["n": [1]]), ["layer": 9], Self.layer("b", 2, [:]),
        ]
        join.add(["layers": .array(entries)]) { _ in (0, []) }
        #expect(join.entries.map { $0["layer"]?.asString } == ["a", "b"])
        join.add([]) { _ in (0, []) }
        #expect(join.json(inOrderOf: []).asObject?["layerCount"] == 2)
    }

    @Test func `ids move in the attributes that have them, and nowhere else`() {
        var join = LayerStatisticsJoin()
        let values: Values = ["cluster_id": [64, 96], "n": [64]]
        join.add(["layers": [Self.layer("a", 1, values)]]) { layer in
            #expect(layer == "a")
            return (1_000, ["cluster_id"])
        }
        let found = Self.attributes(join.json(inOrderOf: []).asObject)
        #expect(found["n"] == Self.entry("n", [64]))
        #expect(found["cluster_id"] == Self.entry("cluster_id", [1_064, 1_096]))
    }

    @Test func `layers come in the order that is asked for, others behind`() {
        var join = LayerStatisticsJoin()
        for name in ["x", "c", "b", "y", "a"] {
            join.add(["layers": [Self.layer(name, 1, [:])]]) { _ in (0, []) }
        }
        let layers = join.json(inOrderOf: ["a", "b", "c"]).asObject?["layers"]?.asArray ?? []
        #expect(layers.map { $0.asObject?["layer"]?.asString } == ["a", "b", "c", "x", "y"])
    }
}
