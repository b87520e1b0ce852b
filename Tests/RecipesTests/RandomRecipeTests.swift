import Foundation
import JSON
import Recipes
import TestSupport
import Testing

/// The schema and the reader must say the same of every value of every key; and a recipe, the same as
/// the document that it was read from.
struct RandomRecipeTests {
    /// Whether a value is as a schema says (draft 2020-12, but for what recipes do without).
    private static func isValid(_ value: JSONValue, _ schema: JSONObject) -> Bool {
        let kinds = schema["type"].map { $0.asArray ?? [$0] }
        guard kinds?.contains(where: { isOf($0, value) }) ?? true else { return false }
        if let number = value.asNumber {
            let least = schema["minimum"]?.asNumber ?? -.infinity
            guard number >= least, number <= schema["maximum"]?.asNumber ?? .infinity else {
                return false
            }
        }
        if let words = schema["enum"]?.asArray, !words.contains(value) { return false }
        if let text = value.asString {
            guard Double(text.count) >= schema["minLength"]?.asNumber ?? 0 else { return false }
            if let pattern = schema["pattern"]?.asString,
                text.range(of: pattern, options: .regularExpression) == nil
            {
                return false
            }
        }
        func fitting(_ key: String) -> Int? {
            schema[key]?.asArray?.count { isValid(value, $0.asObject ?? [:]) }
        }
        guard fitting("anyOf") ?? 1 > 0, fitting("oneOf") ?? 1 == 1 else { return false }
        if let items = schema["items"]?.asObject, let elements = value.asArray {
            guard elements.allSatisfy({ isValid($0, items) }) else { return false }
        }
        return value.asObject.map { areMembersValid($0, schema) } ?? true
    }

    private static func isOf(_ kind: JSONValue, _ value: JSONValue) -> Bool {
        switch (kind, value) {
        case ("string", .string), ("boolean", .bool), ("integer", .integer), ("array", .array),
            ("object", .object), ("null", .null):
            true
        case ("number", _): value.asNumber != nil
        default: false
        }
    }

    private static func areMembersValid(_ object: JSONObject, _ schema: JSONObject) -> Bool {
        let pattern = schema["propertyNames"]?.asObject?["pattern"]?.asString ?? ""
        let least = schema["minProperties"]?.asNumber ?? 0
        return (least...(schema["maxProperties"]?.asNumber ?? .infinity))
            .contains(Double(object.count))
            && object.members.allSatisfy { member in
                (pattern.isEmpty
                    || member.key.range(of: pattern, options: .regularExpression) != nil)
                    && isValid(member.value, schema["additionalProperties"]?.asObject ?? [:])
            }
    }

    /// The schema of a key, as it is published.
    private static func schema(of flag: RecipeFlag) throws -> JSONObject {
        func properties(_ value: JSONValue?) -> JSONObject {
            value?.asObject?["properties"]?.asObject ?? [:]
        }
        let root = properties(Recipe.schema)
        let layer = properties(root["layers"]?.asObject?["items"])
        let clusters = properties(layer["clusters"]?.asObject?["anyOf"]?.asArray?.last)
        let section =
            switch flag.section {
            case .about: root
            case .tiles: properties(root["tiles"])
            case .input: layer
            case .clusters: clusters
            }
        return try #require(section[flag.key]?.asObject)
    }

    /// Values of every kind, and those at the edges of what a schema allows.
    private static func candidates(for schema: JSONObject) -> [JSONValue] {
        var found: [JSONValue] = [
            nil, true, false, "", "x", "auto", "count", 0, 1, -1, 2.5, 1e300, [], ["a"], [1], [:],
            ["a": "text"],
            ["a": "x"], ["0": 5, "31": 0], ["32": 1], ["01": 1], ["7": -1], ["7": "x"],
            ["max": "a"], ["min": "a", "max": "b"], "1,2,3,4", "1,2,3", "hexagon", "square:64",
            "square:", "hexagon:x",
        ]
        for word in schema["items"]?.asObject?["enum"]?.asArray ?? [] { found.append([word]) }
        for part in [schema] + (schema["anyOf"]?.asArray ?? []).compactMap(\.asObject) {
            for edge in ["minimum", "maximum"] {
                guard let number = part[edge] else { continue }
                if case .integer(let value) = number {
                    found += [value - 1, value, value + 1].map(JSONValue.integer)
                } else if let value = number.asNumber {
                    found += [value.nextDown, value, value.nextUp].map(JSONValue.init(canonical:))
                }
            }
            for word in part["enum"]?.asArray ?? [] {
                found.append(word)
                if let text = word.asString {
                    found += [.string(text + "x"), .string(text.uppercased())]
                }
            }
        }
        return found
    }

    @Test func `the reader takes what the schema takes, and nothing else`() throws {
        for flag in RecipeFlag.all {
            let schema = try Self.schema(of: flag)
            for value in Self.candidates(for: schema) {
                let problems = RecipeTests.problems(flag.document(key: flag.key, value: value))
                let isRefused = problems.contains { $0.contains("expected \(flag.value.inWords)") }
                let isInside = problems.contains {
                    $0.hasPrefix("expected ") && $0.contains(flag.key)
                }
                let isValid = Self.isValid(value, schema)
                // What the schema takes may still be refused for what it means, in other words.
                #expect(
                    isValid ? !isRefused : isInside, "\(flag.key): \(value.text()): \(problems)")
            }
        }
    }

    /// Keys whose values say something together are tried elsewhere.
    private static let together: Set<String> = [
        "gridFit", "precision", "variableDepth", "spread", "bins", "binsMaxZoom", "keepCoincident",
        "aggregates",
        "exclude", "filter",
        "clusterProperties", "facets", "facetZone", "fields", "format", "table", "sql", "x", "y",
        "id", "generateId",
        "crs", "types", "encoding", "join", "bbox", "regions", "regionName",
        "weight", "groupBy", "inherit", "include", "position", "algorithm", "minUniqueLocations",
    ]

    @Test(arguments: 0..<12) func `a recipe is written as it was read`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var document = RecipeTests.recipe()
        var wanted: [String: JSONValue] = [:]
        for flag in RecipeFlag.all where !Self.together.contains(flag.key) && random.next() % 2 == 0
        {
            let schema = try Self.schema(of: flag)
            let values = Self.candidates(for: schema).filter { value in
                Self.isValid(value, schema)
                    && RecipeTests.problems(flag.document(key: flag.key, value: value)).isEmpty
            }
            let value = try #require(values.randomElement(using: &random), "\(flag.key)")
            let set = Recipe.document(document, setting: [(flag, value)])
            guard RecipeTests.problems(set).isEmpty else { continue }
            document = set
            wanted["\(flag.section) \(flag.key)"] = value
        }
        let recipe = try Recipe(reading: JSONNode(document))
        let all = recipe.json(withDefaults: true)
        for flag in RecipeFlag.all {
            guard let value = wanted["\(flag.section) \(flag.key)"] else { continue }
            let written = flag.section.section(of: all)?[flag.key]
            #expect(written == value || written?.asNumber == value.asNumber, "\(flag.key)")
        }
        // What is left out is what it is by default.
        let short = recipe.json
        #expect(try Recipe(reading: JSONNode(short)).json(withDefaults: true) == all)
        let plain = try Recipe(reading: JSONNode(RecipeTests.recipe())).json(withDefaults: true)
        for flag in RecipeFlag.all {
            let isUsual =
                flag.section.section(of: all)?[flag.key]
                == flag.section.section(of: plain)?[flag.key]
            let isLeftOut = flag.section.section(of: short)?[flag.key] == nil
            #expect(isUsual == isLeftOut, "\(flag.key)")
        }
    }

    @Test func `the deepest zoom's tiles are as fine as 15 cm, or as was asked for`() {
        for bits in UInt8(8)...16 {
            var options = TileOptions()
            options.extentBits = bits
            for zoom in UInt8(0)...24 {
                let wanted =
                    bits < 12 ? bits : [28 - Int(zoom), Int(bits)].max().map { UInt8(min($0, 16)) }
                #expect(options.deepestExtentBits(at: zoom) == wanted)
            }
        }
        let usual = TileOptions()
        #expect(
            usual.metres == 10 && usual.buffer == 8 && usual.maxBytes == 500_000
                && usual.extentBits == 12)
        #expect(
            usual.minZoom == 0 && usual.leaves && !usual.heat && !usual.variableDepth
                && usual.compression == 2)
        #expect(TileOptions.deepestZoom == 24 && TileOptions.usualSpread == 20)
    }
}
