import ArchiveContract
import JSON
import Recipes
import Testing

/// What is said of recipes that are wrong.
struct RecipeProblemTests {
    @Test(arguments: [
        (8, nil, 0), (10, nil, 0), (11, nil, 1), (14, 9, 0), (14, 10, 1), (nil, nil, 1),
    ])
    func `a grid is refused for zooms that have clusters, and for no others`(
        tilesEnd: Int64?, clustersEnd: Int64?, problems: Int
    ) {
        var clusters: JSONObject = ["algorithm": "grid", "radius": ["0": 64, "10": 48]]
        clusters["maxZoom"] = clustersEnd.map { .integer($0) }
        var document = RecipeTests.recipe(clusters: .object(clusters)).asObject ?? [:]
        document["tiles"] = tilesEnd.map { ["maxZoom": .integer($0)] }
        let found = RecipeTests.problems(.object(document))
        #expect(found.count == problems, "\(found)")
        #expect(found.allSatisfy { $0.contains("between zooms 9 and 10") })
    }

    @Test func `an archive has as many layers as ids tell apart`() {
        func problems(_ count: Int) -> [String] {
            let names = (0..<count).map { JSONValue.string("l\($0)") }
            let layers = names.map { ["name": $0, "sources": ["a.csv"]] as JSONValue }
            return RecipeTests.problems(["layers": .array(layers)])
        }
        #expect(problems(32) == [])
        #expect(
            problems(34) == [
                "layers[32]: an archive has at most 32 layers; read all files into one (-l NAME), or "
                    + "build another archive for the rest"
            ])
    }

    @Test func `all problems are told at once`() {
        let problems = RecipeTests.problems([
            "nam": "x",
            "tiles": ["minZoom": 5, "maxZoom": 3, "bins": "square", "binsMaxZoom": 4],
            "layers": [
                ["name": "a", "sources": ["a.csv"], "filter": [">", ["gett", "x"], 1]],
                ["name": "a", "sources": []],
                ["name": "b", "clusters": ["minPoints": 0]],
                ["name": "c", "sources": ["a.csv"], "filter": [">", ["zoom"], 1]],
            ],
        ])
        #expect(
            problems == [
                "unknown key \"nam\" at top level; did you mean \"name\"?",
                "expected minZoom (5) or more at tiles.binsMaxZoom, found 4",
                "tiles.binsMaxZoom: there are no tiles past tiles.maxZoom, 3",
                "expected minZoom (5) or more at tiles.maxZoom, found 3",
                "unknown operator \"gett\" at layers[0].filter[1]; did you mean \"get\"?",
                "expected a name that no other layer has at layers[1].name, found \"a\"",
                "\"sources\" is missing at layers[2]",
                "expected a whole number, 2 or more at layers[2].clusters.minPoints, found 0",
                "\"zoom\" at layers[3].filter[1] is for drawing maps; it has no meaning for data",
            ])
    }

    @Test(
        arguments: [
            (
                ["order": "imput"],
                "expected one of stable, input (did you mean \"input\"?) "
                    + "at layers[0].clusters.order, found \"imput\""
            ),
            (
                ["aggregates": ["m": "maen:x"]],
                "layers[0].clusters.aggregates.m: aggregate 'm=maen:x': "
                    + "there is no operation 'maen'; did you mean 'mean'?"
            ),
            (
                ["aggregates": ["m": ["mean", ["gett", "x"]]]],
                "unknown operator \"gett\" at layers[0].clusters.aggregates.m[1]; "
                    + "did you mean \"get\"?"
            ),
            (
                ["aggregates": ["m": ["mean", ["zoom"]]]],
                "\"zoom\" at layers[0].clusters.aggregates.m[1] is for drawing maps; it has no "
                    + "meaning for data"
            ),
            (
                ["clusterProperties": ["s": ["+", ["zoom"]]]],
                "\"zoom\" at layers[0].clusters.clusterProperties.s[1] is for drawing maps; it has "
                    + "no meaning for data"
            ),
            (
                ["aggregates": ["m": "sum:[\"get\",\"x\""]],
                "expected an expression in JSON behind \"sum:\" (not JSON at line 1, column 11: "
                    + "the text ends early) at layers[0].clusters.aggregates.m, "
                    + #"found "sum:[\"get\",\"x\"""#
            ),
            (
                ["aggregates": ["point_count": "sum:x"]],
                "layers[0].clusters: every cluster has its own 'point_count'; choose another name"
            ),
            (
                ["clusterProperties": ["s": ["+", ["gett", "x"]]]],
                "unknown operator \"gett\" at layers[0].clusters.clusterProperties.s[1]; "
                    + "did you mean \"get\"?"
            ),
            (
                ["fields": ["bbxo"]],
                "expected one of " + ClusterAttribute.onRequest.map(\.name).joined(separator: ", ")
                    + " (did you mean \"bbox\"?) at layers[0].clusters.fields[0], found \"bbxo\""
            ),
            (
                ["radius": ["0": 40, "5": "x"]],
                "expected a number at layers[0].clusters.radius.5, found \"x\""
            ),
            (
                ["weight": "secret"],
                "layers[0].clusters.weight: \"secret\" is left out by exclude"
            ),
            (
                ["inherit": ["name", "secret"]],
                "layers[0].clusters.inherit[1]: \"secret\" is left out by exclude"
            ),
            (
                ["groupBy": "code"],
                "layers[0].clusters.groupBy: \"code\" becomes the feature id; it is no attribute"
            ),
            (
                ["aggregates": ["s": "sum:secret"]],
                "layers[0].clusters.aggregates.s: \"secret\" is left out by exclude"
            ),
        ] as [(JSONValue, String)])
    func `wrong words and references of clusters are refused`(clusters: JSONValue, problem: String)
    {
        let input: JSONObject = ["exclude": ["secret"], "id": "code"]
        #expect(
            RecipeTests.problems(RecipeTests.recipe(clusters: clusters, input: input)) == [problem])
    }

    @Test(
        arguments: [
            (
                ["include": ["population"]],
                "layers[0].clusters.weight: \"populatoin\" is not among include; "
                    + "did you mean \"population\"?"
            ),
            (
                ["include": ["a", "populatoin"], "exclude": ["b", "a"]],
                "layers[0].exclude[1]: \"a\" is also in include; leave it out of one of them"
            ),
            (
                ["id": "code", "generateId": true],
                "layers[0].generateId: id and generateId each say what the ids are; leave one out"
            ),
            (["x": "lon"], "layers[0].x: name x and y, or a column of geometries twice"),
            (
                ["table": "t", "sql": "SELECT 1"],
                "layers[0].sql: table and sql each say what to read; leave one out"
            ),
            (
                ["types": ["a": "text", "b": "intger"]],
                "expected one of text, integer, number, bool (did you mean \"integer\"?) "
                    + "at layers[0].types.b, found \"intger\""
            ),
        ] as [(JSONObject, String)])
    func `wrong words and references of the input are refused`(input: JSONObject, problem: String) {
        let document = RecipeTests.recipe(clusters: ["weight": "populatoin"], input: input)
        #expect(RecipeTests.problems(document) == [problem])
    }

    @Test(
        arguments: [
            ("layers[0].clusters", "clusterRadius", "radius"),
            ("layers[0].clusters", "cluster-min-points", "minPoints"),
            ("layers[0].clusters", "no_wrap", "wrap"),
            ("layers[0].clusters", "filter", "layers[…].filter"),
            ("layers[0].clusters", "buffer", "tiles.buffer"),
            ("layers[0]", "radius", "clusters.radius"),
            ("layers[0]", "buffer", "tiles.buffer"),
            ("top level", "maxZoom", "tiles.maxZoom"),
            ("top level", "minPoints", "layers[…].clusters.minPoints"),
        ])
    func `a key that belongs elsewhere, or is called so elsewhere, is shown where it belongs`(
        path: String, key: String, meant: String
    ) {
        let document: JSONValue =
            switch path {
            case "layers[0].clusters": RecipeTests.recipe(clusters: .object([key: 1]))
            case "layers[0]": RecipeTests.recipe(input: [key: 1])
            default: .object([key: 1, "layers": [["name": "a", "sources": ["a.csv"]]]])
            }
        #expect(
            RecipeTests.problems(document) == [
                "unknown key \"\(key)\" at \(path); did you mean \"\(meant)\"?"
            ])
    }

    @Test(
        arguments: [
            (
                ["position": "centriod"],
                "expected one of centroid, anchor, nearest, or an object whose values are text "
                    + "(did you mean \"centroid\"?) at layers[0].clusters.position, "
                    + "found \"centriod\""
            ),
            (
                ["aggregates": ["m": 3]],
                "expected \"OP:ATTR\" or [\"OP\", EXPRESSION] at layers[0].clusters.aggregates.m, "
                    + "found 3"
            ),
            (
                ["radius": -1],
                "expected a number, 0 or more, or an object of such numbers by zoom "
                    + "at layers[0].clusters.radius, found -1"
            ),
        ] as [(JSONValue, String)])
    func `a wrong value is told all that could stand there`(clusters: JSONValue, problem: String) {
        #expect(RecipeTests.problems(RecipeTests.recipe(clusters: clusters)) == [problem])
    }

    /// With heat, apart or with bins a layer takes a second name in tiles.
    @Test(arguments: [("heat", "a_heat"), ("spread", "a_legs"), ("bins", "a_bins")], [0, 1])
    func `no layer has the name of what stands beside another`(
        option: (key: String, name: String), first: Int
    ) {
        func problems(_ tiles: JSONObject, _ name: String) -> [String] {
            let names = first == 0 ? ["a", name] : [name, "a"]
            return RecipeTests.problems([
                "tiles": .object(tiles),
                "layers": .array(names.map { ["name": .string($0), "sources": ["a.csv"]] }),
            ])
        }
        let value: JSONValue = option.key == "bins" ? "square" : true
        #expect(problems(["maxZoom": 5], option.name) == [])
        #expect(problems(["maxZoom": 5, .init(option.key): value], "b") == [])
        #expect(
            problems(["maxZoom": 5, .init(option.key): value], option.name).map {
                $0.contains("a name that no other layer has")
            } == [true])
        // The others' names are free.
        for other in ["a_heat", "a_legs", "a_bins"] where other != option.name {
            #expect(problems(["maxZoom": 5, .init(option.key): value], other) == [])
        }
    }
}
