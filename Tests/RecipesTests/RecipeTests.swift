import JSON
import Testing

import Recipes

struct RecipeTests {
    /// A recipe with one layer of these clusters.
    static func recipe(
        clusters: JSONValue = [:], input: JSONObject = [:], tiles: JSONObject = [:]
    ) -> JSONValue {
        var layer: JSONObject = ["name": "places", "sources": ["places.csv"]]
        layer.members += input.members
        layer["clusters"] = clusters
        var document: JSONObject = tiles.count > 0 ? ["tiles": .object(tiles)] : [:]
        document["layers"] = [.object(layer)]
        return .object(document)
    }

    /// What is wrong with a recipe.
    static func problems(_ document: JSONValue) -> [String] {
        do {
            _ = try Recipe(reading: JSONNode(document))
            return []
        } catch let error as RecipeError {
            return error.problems
        } catch {
            return ["not a RecipeError: \(error)"]
        }
    }

    @Test func `a wrong key is refused with its path and the right one`() {
        for flag in RecipeFlag.all {
            let wrong = flag.key.dropLast() + "_" + flag.key.suffix(1)
            let document = flag.document(key: String(wrong), value: true)
            #expect(
                Self.problems(document) == [
                    "unknown key \"\(wrong)\" at \(flag.section.path); did you mean \"\(flag.key)\"?"
                ])
        }
    }

    @Test func `a wrong type is refused with its path`() {
        for flag in RecipeFlag.all {
            let path = flag.section == .about ? flag.key : "\(flag.section.path).\(flag.key)"
            let problems = Self.problems(flag.document(key: flag.key, value: nil))
            #expect(problems.count == 1)
            #expect(problems[0].contains(" at \(path), found null"), "\(problems)")
        }
    }

    @Test func `the coordinate system may be a number or a text`() throws {
        for crs: JSONValue in ["3857", 3857] {
            let recipe = try Recipe(reading: JSONNode(Self.recipe(input: ["crs": crs])))
            #expect(recipe.layers.first?.input.crs == .webMercator)
        }
        #expect(
            Self.problems(Self.recipe(input: ["crs": true])) == [
                "expected text, or a whole number, 0 or more at layers[0].crs, found true"
            ])
    }

    @Test func `every flag gives the same recipe as its key`() throws {
        for flag in RecipeFlag.all {
            let words = flag.sampleWords
            let value = try #require(flag.json(of: words), "\(flag.option.name) \(words)")
            let base =
                switch flag.section {
                case .clusters: Self.recipe(clusters: .object(flag.company))
                case .tiles: Self.recipe(tiles: flag.company)
                default: Self.recipe(input: flag.company)
                }
            let set = Recipe.document(base, setting: [(flag, value)])
            let recipe = try Recipe(reading: JSONNode(set)).json
            #expect(
                flag.section.section(of: recipe)?[flag.key] != nil,
                "\(flag.option.name) changes nothing")
            #expect(try Recipe(reading: JSONNode(recipe)).json == recipe)
        }
    }

    @Test func `a recipe with all defaults spelled out is the same recipe`() throws {
        let short = Self.recipe(clusters: ["radius": 40])
        let recipe = try Recipe(reading: JSONNode(short))
        let long = recipe.json(withDefaults: true)
        #expect(RecipeFlag.Section.clusters.section(of: long)?["minPoints"] == 2)
        #expect(RecipeFlag.Section.tiles.section(of: long)?["maxZoom"] == "auto")
        #expect(RecipeFlag.Section.input.section(of: long)?["skipInvalid"] == false)
        #expect(try Recipe(reading: JSONNode(long)).json == short)
    }

    @Test func `clusters stay within the zooms of the tiles`() {
        var document = Self.recipe(clusters: ["maxZoom": 9]).asObject ?? [:]
        document["tiles"] = ["maxZoom": 8]
        #expect(
            Self.problems(.object(document)) == [
                "layers[0].clusters.maxZoom: there are no tiles past tiles.maxZoom, 8"
            ])
        document["tiles"] = ["maxZoom": 9]
        #expect(Self.problems(.object(document)) == [])
    }

    @Test func `only a grid is fitted to the world`() {
        #expect(
            Self.problems(Self.recipe(clusters: ["gridFit": true])) == [
                "layers[0].clusters.gridFit: only cells of a grid can be fitted to the world; "
                    + "add algorithm \"grid\", or leave it out"
            ])
        let fitted = Self.recipe(clusters: ["gridFit": true, "algorithm": "grid"])
        #expect(Self.problems(fitted) == [])
    }

    @Test func `a schema's address is no business of ours`() throws {
        var document = Self.recipe().asObject ?? [:]
        document["$schema"] = "anything.json"
        #expect(try Recipe(reading: JSONNode(.object(document))).layers.count == 1)
    }

    @Test func `aggregates keep their order and their expressions`() throws {
        let aggregates: JSONValue = ["z": "count", "a": ["mean", ["get", "x"]], "m": "max:y"]
        let document = Self.recipe(clusters: ["aggregates": aggregates])
        let recipe = try Recipe(reading: JSONNode(document))
        #expect(recipe.layers[0].clusters?.aggregates.map(\.name) == ["z", "a", "m"])
        #expect(recipe.json == document)
    }
}

extension RecipeFlag.Section {
    var path: String {
        switch self {
        case .about: "top level"
        case .tiles: "tiles"
        case .input: "layers[0]"
        case .clusters: "layers[0].clusters"
        }
    }
}

extension RecipeFlag.Section {
    /// The part of a recipe with one layer that has such keys.
    func section(of recipe: JSONValue) -> JSONObject? {
        let root = recipe.asObject
        let layer = root?["layers"]?.asArray?.first?.asObject
        return switch self {
        case .about: root
        case .tiles: root?["tiles"]?.asObject
        case .input: layer
        case .clusters: layer?["clusters"]?.asObject
        }
    }
}

extension RecipeFlag {
    /// A recipe that has a key where this flag's belongs.
    func document(key: String, value: JSONValue) -> JSONValue {
        var root = RecipeTests.recipe().asObject ?? [:]
        switch section {
        case .about: root[key] = value
        case .tiles: root["tiles"] = .object([key: value])
        case .input: return RecipeTests.recipe(input: [key: value])
        case .clusters: return RecipeTests.recipe(clusters: .object([key: value]))
        }
        return .object(root)
    }

    /// Keys without which the sample would be refused.
    var company: JSONObject {
        switch key {
        case "x": ["y": "lat"]
        case "y": ["x": "lon"]
        case "gridFit": ["algorithm": "grid"]
        case "regionName": ["regions": "states.geojson"]
        case "binsMaxZoom": ["bins": "square"]
        case "facetZone": ["facets": ["day:month"]]
        default: [:]
        }
    }

    /// Words that set the option to something else than its default.
    var sampleWords: [String] {
        switch option.name {
        case "filter": ["[\">\", [\"get\", \"x\"], 3]"]
        case "cluster-properties": ["{\"sum\": [\"+\", [\"get\", \"x\"]]}"]
        case "aggregate": ["a=count", "b=mean:x", "c=max:[\"get\", \"y\"]"]
        case "cluster-fields": ["bbox,point_weight"]
        case "extent": ["8192"]
        case "bins": ["hexagon:40"]
        case "facet": ["kind", "price:0,50", "kind*date:month", "kind=sum:price"]
        case "facet-zone": ["UTC"]
        case "encoding": ["windows-1252"]
        case "bbox": ["5.9,45.8,10.5,47.8"]
        case "join": ["codes.csv:code=region"]
        case "cluster-radius": ["{\"0\": 80, \"4\": 40}"]
        case "position": ["{\"max\": \"population\"}"]
        case "type": ["code:text", "size:number"]
        default: plainSample
        }
    }

    private var plainSample: [String] {
        switch value {
        case .text: ["words"]
        case .texts, .wholeTexts: ["one,two", "three"]
        case .flag: []
        case .integer(let range): ["\(range.lowerBound + 1)"]
        case .number(let range): ["\(range.lowerBound + 1.5)"]
        case .choice(let words): [words[words.count - 1]]
        case .either(.flag, _): ["7"]
        case .either(let first, _): [first.sample]
        case .map, .numberByZoom, .aggregate, .expression, .expressions: []
        }
    }
}

extension RecipeValue {
    fileprivate var sample: String {
        switch self {
        case .integer(let range): "\(range.lowerBound + 1)"
        case .choice(let words): words[words.count - 1]
        case .text: "words"
        default: ""
        }
    }
}
