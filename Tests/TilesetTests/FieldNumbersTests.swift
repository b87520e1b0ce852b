import Foundation
import Geometry
import JSON
import TestSupport
import Testing
import TileArchive
import VectorTile

/// Each number of `tilestats`, held against the features of the archive.
struct FieldNumbersTests {
    /// Attributes of every kind: few values and many, on all points and on some, of one type and of
    /// several.
    private static func points(_ count: Int, seed: UInt64) -> [SamplePoint] {
        var random = SeededRandom(seed: seed)
        return SamplePoint.towns(count, seed: seed).enumerated().map { index, point in
            var point = point
            point.properties.append(("serial", .integer(Int64(index) - 20)))
            if index % 7 == 0 { point.properties.append(("rare", .number(random.unit() - 0.5))) }
            point.properties.append(("open", .bool(random.next() % 2 == 0)))
            let mixed: [JSONValue] = [.integer(Int64(index % 5)), .string("s\(index % 3)"), true]
            point.properties.append(("mixed", mixed[Int(random.next() % 3)]))
            return point
        }
    }

    /// The values of each attribute over all points, and over all clusters once each.
    private static func values(_ baked: BakedArchive, deepest: UInt8) -> (
        features: Int, values: [String: [TileValue]]
    ) {
        var clusters: [UInt64: DrawnFeature] = [:]
        for zoom in 0...deepest {
            for node in baked.nodes(at: zoom) where node.isCluster { clusters[node.id ?? 0] = node }
        }
        let all = baked.nodes(at: deepest) + Array(clusters.values)
        var values: [String: [TileValue]] = [:]
        for (key, value) in all.flatMap(\.tags) { values[key, default: []].append(value) }
        return (all.count, values)
    }

    private static func json(_ value: TileValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .bool(let bool): .bool(bool)
        case .double(let number): JSONValue(canonical: number)
        case .float(let number): JSONValue(canonical: Double(number))
        case .int(let number), .sint(let number): .integer(number)
        case .uint(let number): .integer(Int64(number))
        }
    }

    @Test(arguments: [UInt64(1), 2])
    func `statistics count each point and each cluster once`(seed: UInt64) throws {
        let baked = try BakedArchive(
            Self.points(1_200, seed: seed),
            layer: [
                "clusters": [
                    "aggregates": ["total": "sum:n", "mean": "mean:serial"],
                    "fields": ["sqrt_point_count", "parent", "bbox"],
                ]
            ], tiles: ["maxZoom": 6])
        let (features, values) = Self.values(baked, deepest: 6)
        let stats = baked.archive.metadata.tileStats?.asObject
        let layer = try #require(stats?["layers"]?.asArray?.first?.asObject)
        #expect(layer["layer"] == "points" && layer["geometry"] == "Point")
        #expect(layer["count"] == .integer(Int64(features)))
        let entries = layer["attributes"]?.asArray?.compactMap(\.asObject) ?? []
        #expect(layer["attributeCount"] == .integer(Int64(entries.count)))
        #expect(Set(entries.compactMap { $0["attribute"]?.asString }) == Set(values.keys))
        for entry in entries {
            let name = try #require(entry["attribute"]?.asString)
            // A box is a text of its own for each cluster; only that it is there is told.
            if name == "bbox" {
                #expect(entry["type"] == "string" && entry["values"] == [])
                continue
            }
            try Self.check(entry, values[name] ?? [], name)
        }
    }

    private static func check(_ entry: JSONObject, _ values: [TileValue], _ name: String) throws {
        let distinct = Set(values.map(json))
        #expect(entry["count"] == .integer(Int64(min(distinct.count, 1_000))), "\(name)")
        let listed = entry["values"]?.asArray ?? []
        #expect(listed.count == min(distinct.count, 100) && Set(listed).isSubset(of: distinct))
        #expect(Set(listed).count == listed.count)
        let numbers = listed.compactMap(\.asNumber)
        #expect(numbers == numbers.sorted(), "\(name)")
        let texts = listed.filter { $0.asNumber == nil }.map { $0.text() }
        #expect(texts == texts.sorted())
        // Numbers come first.
        #expect(listed.prefix(numbers.count).allSatisfy { $0.asNumber != nil })
        let all = distinct.compactMap(\.asNumber)
        #expect(entry["min"]?.asNumber == all.min(), "\(name)")
        #expect(entry["max"]?.asNumber == all.max(), "\(name)")
        let types = Set(
            distinct.map { value in
                switch value {
                case .string: "string"
                case .bool: "boolean"
                default: "number"
                }
            })
        #expect(entry["type"]?.asString == (types.count == 1 ? types.first : "mixed"))
    }
}
