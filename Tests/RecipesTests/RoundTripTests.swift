import JSON
import Testing

@testable import Recipes

/// Every way to write every key, read and written again; and each kind of value, where its edges are.
struct RoundTripTests {
    /// Values that keys may have, in the words in which recipes are written, with the keys that they need.
    private static let samples: [(RecipeFlag.Section, JSONObject)] = [
        (.clusters, ["position": "anchor"]), (.clusters, ["position": "nearest"]),
        (.clusters, ["position": ["max": "size"]]), (.clusters, ["position": ["min": "size"]]),
        (.clusters, ["aggregates": ["n": "count", "m": ["mean", ["get", "x"]], "s": "sum:a:b"]]),
        (.clusters, ["clusterProperties": ["sum": ["+", ["get", "x"]]]]),
        (.clusters, ["facets": ["kind", "price:0,50", "kind*day:month"], "facetZone": "UTC"]),
        (.clusters, ["fields": ["bbox", "parent"], "inherit": ["a", "b"]]),
        (.clusters, ["weight": "a", "groupBy": "b", "minUniqueLocations": 3]),
        (.clusters, ["gridFit": true, "algorithm": "grid", "radius": ["0": 64, "7": 32.5]]),
        (.clusters, ["radius": 7.5, "minPoints": 9, "order": "input", "wrap": false]),
        (.clusters, ["keepCoincident": true, "countLetters": "K"]),
        (.input, ["id": "code", "types": ["a": "text", "b": "integer", "c": "number"]]),
        (.input, ["generateId": true, "include": ["a", "b"], "exclude": ["c"]]),
        (.input, ["x": "lon", "y": "lat", "format": "csv", "encoding": "windows-1252"]),
        (.input, ["quotes": "letters", "nodata": ["NA", "-9999"]]),
        (.input, ["filter": ["==", ["get", "a"], 1], "bbox": "170.0,-10.5,-170.0,20.0"]),
        (.input, ["join": "codes.csv:code=region", "table": "t"]),
        (.input, ["regions": "areas.geojson", "regionName": "title", "sql": "SELECT 1"]),
        (.input, ["dedupe": "place", "skipInvalid": true, "skipNonPoints": true]),
        (.input, ["dedupe": "code", "skipInvalid": 7, "pointsFrom": "centroid"]),
        (.input, ["reservedNames": "rename", "skipInvalid": 0]),
        (.tiles, ["minZoom": 2, "maxZoom": 9, "extent": 512, "buffer": 12.5]),
        (.tiles, ["maxBytes": 1_001, "maxFeatures": 5, "compression": 0, "leaves": false]),
        (.tiles, ["precision": 0.25]), (.tiles, ["variableDepth": true]),
        (.tiles, ["spread": 33]), (.tiles, ["heat": true]),
        (.tiles, ["bins": "square:64", "binsMaxZoom": 5]), (.tiles, ["bins": "hexagon:40"]),
        (.about, ["name": "n", "description": "d", "attribution": "a"]),
    ]

    private static func document(_ section: RecipeFlag.Section, _ keys: JSONObject) -> JSONValue {
        switch section {
        case .clusters: RecipeTests.recipe(clusters: .object(keys))
        case .input: RecipeTests.recipe(input: keys)
        case .tiles: RecipeTests.recipe(tiles: keys)
        case .about:
            Recipe.document(
                RecipeTests.recipe(),
                setting: keys.members.compactMap { member in
                    RecipeFlag.all.first { $0.key == member.key }.map { ($0, member.value) }
                })
        }
    }

    @Test func `every key is written as it was read`() throws {
        var seen: Set<String> = []
        for (section, keys) in Self.samples {
            let recipe = try Recipe(reading: JSONNode(Self.document(section, keys)))
            let written = try #require(section.section(of: recipe.json))
            for member in keys.members {
                #expect(written[member.key] == member.value, "\(member.key)")
                seen.insert("\(section).\(member.key)")
            }
            let others = Set(written.members.map(\.key)).subtracting(keys.members.map(\.key))
            #expect(others.isSubset(of: ["sources", "name", "clusters", "layers"]), "\(others)")
        }
        // A list that lacks a key would not notice what becomes of it.
        let all = Set(RecipeFlag.all.map { "\($0.section).\($0.key)" })
        let missing = all.subtracting(seen)
        #expect(missing == ["clusters.maxZoom", "input.crs"], "\(missing)")
    }

    @Test func `what a command line says is what the recipe has`() throws {
        func read(_ option: String, _ words: String...) throws -> JSONValue? {
            try #require(RecipeFlag.all.first { $0.option.name == option }).json(of: words)
        }
        let aggregates = try #require(
            try read("aggregate", "a=count", "b=sum:x:y", #"c=max:["get","p:q:r"]"#))
        let recipe = try Recipe(
            reading: JSONNode(RecipeTests.recipe(clusters: ["aggregates": aggregates])))
        let written = RecipeFlag.Section.clusters.section(of: recipe.json)?["aggregates"]
        #expect(written == ["a": "count", "b": "sum:x:y", "c": ["max", ["get", "p:q:r"]]])
        #expect(try read("type", "a:b:text") == ["a:b": "text"] && read("type", "a:b:c") == nil)
        #expect(try read("type", ":text") == nil && read("type", "a:text") == ["a": "text"])
        #expect(try read("aggregate", "a=sum:x=y") == ["a": "sum:x=y"])
        #expect(try read("aggregate", "a") == nil && read("weight", "") == nil)
        #expect(try read("weight", "a", "", "b") == "b")
        #expect(try read("inherit", "a,b", "c") == ["a", "b", "c"])
        #expect(try read("exclude", #"a\,b,c"#, #"\N"#) == ["a,b", "c", #"\N"#])
        #expect(try read("facet", "a:0,5", "b") == ["a:0,5", "b"])
        #expect(try read("heat") == true && read("no-wrap") == false && read("spread") == true)
        #expect(try read("spread", "7.5") == 7.5 && read("spread", "0.5") == nil)
        #expect(try read("max-zoom", "auto") == "auto" && read("max-zoom", "25") == nil)
    }

    @Test(
        arguments: [
            ("a.csv:b=c", ["a.csv", "b", "c"]), ("a:b:c=d=e", ["a:b", "c", "d=e"]), (":a=b", nil),
            ("f:a", nil), ("f:=b", nil), ("f:a=", nil), ("f", nil), ("", nil), ("f=a:b", nil),
            ("a.csv:b:c=d:e", ["a.csv", "b:c", "d:e"]), ("a:b.csv:c=d", ["a:b.csv", "c", "d"]),
            ("f:c=d:e", ["f", "c", "d:e"]), ("a.b/f:c=d", ["a.b/f", "c", "d"]),
            ("http://h.org:80/a.csv:b:c=d", ["http://h.org:80/a.csv", "b:c", "d"]),
        ] as [(String, [String]?)])
    func `a joined table is a file and two columns, each of which has a name`(
        text: String, parts: [String]?
    ) {
        let join = InputRecipe.Join(text)
        #expect(join.map { [$0.file, $0.key, $0.column] } == parts)
        #expect(join.map(\.text) == parts.map { _ in text })
    }

    @Test(arguments: [(3, 2, true), (3, 3, false), (3, 4, false), (3, 5, false), (3, 6, true)])
    func `clusters end within the zooms of the tiles`(first: Int64, last: Int64, isRefused: Bool) {
        let document = RecipeTests.recipe(
            clusters: ["maxZoom": .integer(last)],
            tiles: ["minZoom": .integer(first), "maxZoom": 5])
        #expect(RecipeTests.problems(document).isEmpty != isRefused)
    }

    @Test(
        arguments: [
            (["heat": true], "heat"), (["spread": true], "spread"), (["bins": "square"], "bins"),
            (["heat": true, "spread": 9, "bins": "square"], "heat"),
            (["spread": 9, "bins": "square"], "spread"), ([:], nil), (["buffer": 9], nil),
        ] as [(JSONObject, String?)])
    func `tiles are left out only where they show no more than their ancestors`(
        tiles: JSONObject, shown: String?
    ) {
        #expect(RecipeTests.problems(RecipeTests.recipe(tiles: tiles)) == [])
        let problems = RecipeTests.problems(
            RecipeTests.recipe(tiles: tiles + ["variableDepth": true]))
        #expect(problems.count == (shown == nil ? 0 : 1))
        if let shown, let problem = problems.first {
            #expect(problem.hasPrefix("tiles.variableDepth: tiles with \(shown) show what"))
        }
    }

    @Test func `options of clusters are for layers that have them, and change nothing beside`() {
        let layers: JSONValue = [
            ["name": "plain", "clusters": false], ["name": "usual"],
            ["name": "own", "clusters": ["radius": 9]],
        ]
        let document: JSONValue = ["layers": layers, "tiles": ["minZoom": 1]]
        for flag in RecipeFlag.all {
            let set = Recipe.document(document, setting: [(flag, "x")]).asObject ?? [:]
            var wanted = document.asObject ?? [:]
            let inside: JSONObject = [flag.key: "x"]
            switch flag.section {
            case .about: wanted[flag.key] = "x"
            case .tiles:
                wanted["tiles"] = .object(["minZoom": 1] + inside)
            case .input:
                wanted["layers"] = .array(
                    (layers.asArray ?? []).map { .object(($0.asObject ?? [:]) + inside) })
            case .clusters:
                wanted["layers"] = [
                    ["name": "plain", "clusters": false],
                    ["name": "usual", "clusters": .object(inside)],
                    ["name": "own", "clusters": .object(["radius": 9] + inside)],
                ]
            }
            #expect(set == wanted, "\(flag.key)")
        }
    }

    @Test(
        arguments: [
            (.integer(3...7), ["type": "integer", "minimum": 3, "maximum": 7], "from 3 to 7"),
            (.integer(3...(.max)), ["type": "integer", "minimum": 3], "number, 3 or more"),
            (.number(-1...2.5), ["type": "number", "minimum": -1, "maximum": 2.5], "-1 to 2.5"),
            (
                .number(0.5...(.infinity)), ["type": "number", "minimum": 0.5],
                "number, 0.5 or more"
            ),
            (.choice(["a", "4"]), ["enum": ["a", "4", 4]], "one of a, 4"),
            (.choice(["a"]), ["enum": ["a"]], "a"),
            (.texts, ["type": "array", "items": ["type": "string"]], "list of texts"),
            (
                .map(.choice(["a"])),
                ["type": "object", "additionalProperties": ["enum": ["a"]]], "values are a"
            ),
            (
                .either(.flag, .text), ["anyOf": [["type": "boolean"], ["type": "string"]]],
                "true or false, or text"
            ),
        ] as [(RecipeValue, JSONObject, String)])
    func `a kind of value has its schema and its words`(
        kind: RecipeValue, schema: JSONObject, words: String
    ) {
        #expect(kind.schema == schema)
        #expect(kind.inWords.hasSuffix(words), "\(kind.inWords)")
    }

    @Test func `a kind of value takes what lies within its edges`() {
        for (kind, taken, refused) in [
            (.integer(3...7), [3, 7], [2, 8, 3.5, "3"]), (.number(0.5...2), [0.5, 2], [0.4, 2.1]),
            (.number(1...(.infinity)), [1, 1e300], [0.9, "1"]), (.choice(["a"]), ["a"], ["b", 1]),
            (.texts, [[], ["a"]], ["a", [1]]), (.wholeTexts, [["a,b"]], ["a", [1]]),
            (.map(.text), [[:], ["a": "b"]], [["a": 1], "a"]),
            (.numberByZoom, [0, ["0": 0, "31": 2]], [-1, ["32": 1], [:], ["1": -1]]),
            (.either(.flag, .integer(1...2)), [true, 2], [3, "true"]),
        ] as [(RecipeValue, [JSONValue], [JSONValue])] {
            for value in taken { #expect(kind.accepts(value), "\(kind) \(value.text())") }
            for value in refused { #expect(!kind.accepts(value), "\(kind) \(value.text())") }
        }
    }
}

extension JSONObject {
    fileprivate static func + (one: JSONObject, other: JSONObject) -> JSONObject {
        var all = one
        for member in other.members { all[member.key] = member.value }
        return all
    }
}
