import JSON
import Recipes
import Testing

/// Bins that a recipe asks for and its zooms do not allow.
struct BinProblemTests {
    @Test func `tiles may have one zoom, and bins end with them`() {
        func problems(_ tiles: JSONValue) -> [String] {
            RecipeTests.problems(["layers": [["name": "a", "sources": ["a.csv"]]], "tiles": tiles])
        }
        #expect(problems(["minZoom": 4, "maxZoom": 4, "bins": "square", "binsMaxZoom": 4]) == [])
        #expect(problems(["minZoom": 4, "maxZoom": 3]).count == 1)
        #expect(problems(["minZoom": 4, "bins": "square", "binsMaxZoom": 3]).count == 1)
    }

    @Test(
        arguments: [
            (
                ["minZoom": 17, "bins": "square"], false,
                "tiles.bins: there are no bins past zoom 16"
            ),
            (["minZoom": 16, "bins": "square"], true, nil),
            (
                ["maxZoom": 3, "bins": "square", "binsMaxZoom": 9], true,
                "tiles.binsMaxZoom: there are no tiles past tiles.maxZoom, 3"
            ),
            (
                ["maxZoom": 3, "bins": "square", "binsMaxZoom": 3], false,
                "tiles.binsMaxZoom: without clusters, points need a zoom past the bins', and tiles.maxZoom is 3"
            ),
            (
                ["maxZoom": 0, "bins": "square"], false,
                "tiles.bins: without clusters, points need a zoom past the bins', and tiles.maxZoom is 0"
            ),
            (["maxZoom": 3, "bins": "square", "binsMaxZoom": 3], true, nil),
            (["maxZoom": 3, "bins": "square", "binsMaxZoom": 2], false, nil),
            (["maxZoom": 0, "bins": "square"], true, nil),
            (["maxZoom": 1, "bins": "square"], false, nil),
        ] as [(JSONValue, Bool, String?)])
    func `bins that cannot be are refused`(tiles: JSONValue, areFormed: Bool, problem: String?) {
        let layer: JSONValue = [
            "name": "a", "sources": ["a.csv"], "clusters": ["formed": .bool(areFormed)],
        ]
        let problems = RecipeTests.problems(["layers": [layer], "tiles": tiles])
        #expect(problems.count == (problem == nil ? 0 : 1))
        #expect(problem == nil || problems.first?.hasPrefix(problem ?? "") == true, "\(problems)")
    }
}
