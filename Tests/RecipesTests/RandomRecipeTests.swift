import Foundation
import JSON
import Recipes
import TestSupport
import Testing

/// The schema and the reader must say the same of every value of every key; and a recipe, the same as
/// the document that it was read from.
struct RandomRecipeTests {
    /// Whether a value is as a schema says (draft 2020-12, but for what recipes do without).
    static func isValid(_ value: JSONValue, _ schema: JSONObject) -> Bool {
        if let kinds = schema["type"] {
            let names = kinds.asArray ?? [kinds]
            let isAny = names.contains { name in
                switch (name, value) {
                case ("string", .string), ("boolean", .bool), ("integer", .integer),
                    ("array", .array),
                    ("object", .object), ("null", .null):
                    true
                case ("number", _): value.asNumber != nil
                default: false
                }
            }
            guard isAny else { return false }
        }
        if let least = schema["minimum"]?.asNumber, let number = value.asNumber, number < least {
            return false
        }
        if let most = schema["maximum"]?.asNumber, let number = value.asNumber, number > most {
            return false
        }
        if let words = schema["enum"]?.asArray, !words.contains(value) { return false }
        if let any = schema["anyOf"]?.asArray,
            !any.contains(where: { isValid(value, $0.asObject ?? [:]) })
        {
            return false
        }
        if let one = schema["oneOf"]?.asArray,
            one.count(where: { isValid(value, $0.asObject ?? [:]) }) != 1
        {
            return false
        }
        if let items = schema["items"]?.asObject, let elements = value.asArray,
            !elements.allSatisfy({ isValid($0, items) })
        {
            return false
        }
        guard let object = value.asObject else { return true }
        if let least = schema["minProperties"]?.asNumber, Double(object.count) < least {
            return false
        }
        if let pattern = schema["propertyNames"]?.asObject?["pattern"]?.asString,
            !object.members.allSatisfy({
                $0.key.range(of: pattern, options: .regularExpression) != nil
            })
        {
            return false
        }
        guard let members = schema["additionalProperties"]?.asObject else { return true }
        return object.members.allSatisfy { isValid($0.value, members) }
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
            ["max": "a"],
        ]
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
        "gridFit", "precision", "variableDepth", "spread", "keepCoincident", "aggregates",
        "exclude", "filter",
        "clusterProperties", "fields", "format", "table", "sql", "x", "y", "id", "generateId",
        "crs", "types",
        "weight", "groupBy", "inherit", "include", "position", "algorithm", "minUniqueLocations",
    ]

    @Test(arguments: 0..<40) func `a recipe is written as it was read`(seed: UInt64) throws {
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

    // MARK: Styles

    /// Random sources, and what MapLibre's documentation makes of their numbers.
    @Test(arguments: 0..<60) func `a source becomes the layer that its numbers say`(seed: UInt64)
        throws
    {
        var random = SeededRandom(seed: seed)
        var source: JSONObject = ["type": "geojson", "data": "a.geojson"]
        func draw(_ key: String, _ values: [Double]) -> Double? {
            guard random.next() % 4 > 0, let value = values.randomElement(using: &random) else {
                return nil
            }
            source[key] = JSONValue(canonical: value)
            return value
        }
        let isClustered = random.next() % 4 > 0
        if isClustered { source["cluster"] = true }
        let deepest = Int(draw("maxzoom", [0, 3, 11, 12, 13, 24]) ?? 18)
        let radius = draw("clusterRadius", [0, 1, 50, 127, 128, 4_096]) ?? 50
        let last =
            draw("clusterMaxZoom", [0, 2.4, 2.5, 11, 12, 13, 17]).map { Int($0.rounded()) }
            ?? max(deepest - 1, 0)
        let least = draw("clusterMinPoints", [0, 1, 2, 2.1, 3, 700]) ?? 2
        let margin = draw("buffer", [0, 8, 127, 512]) ?? 128
        let layer: JSONValue = ["id": "l", "type": "circle", "source": "a"]
        let other: JSONValue = [
            "type": "geojson", "data": "b.geojson", "cluster": true, "clusterRadius": 3,
        ]
        let imported = try StyleImportTests.imported(
            ["a": .object(source), "b": other], layers: [layer])
        let tiles = imported.recipe.tiles
        let first = try #require(imported.recipe.layers.first { $0.name == "a" })
        // The other source reaches to zoom 18, with clusters to 17.
        let needed = last < deepest ? max(last + 1, min(deepest, 12)) : last
        #expect(tiles.maxZoom == UInt8(isClustered ? max(needed, 18) : 18))
        let used = radius == 0 ? 50 : radius
        #expect(
            tiles.buffer == max(3, min(isClustered ? used : margin, 127)) && tiles.extentBits == 13)
        #expect((first.clusters != nil) == isClustered && first.sources == ["a.geojson"])
        if let clusters = first.clusters {
            #expect(
                clusters.maxZoom == last
                    && clusters.options.minPoints == max(2, Int(least.rounded(.up))))
            #expect(clusters.options.radius == .init(used) && !clusters.options.wrap)
        }
        let vector = imported.style.asObject?["sources"]?.asObject?["a"]?.asObject
        #expect(vector?["type"] == "vector" && vector?["url"] == "/tiles")
        #expect(
            vector?["maxzoom"] == (isClustered && deepest <= last ? .integer(Int64(deepest)) : nil))
        let remarks = imported.remarks.filter { $0.hasPrefix("a:") }
        #expect(remarks.contains { $0.contains("share 127 pixels") } == (isClustered && used > 127))
        #expect(remarks.contains { $0.contains("clusterMaxZoom 0") } == (isClustered && last == 0))
    }
}
