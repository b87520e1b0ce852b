import JSON
import Recipes
import Testing

/// Values that name or hold nothing.
struct EmptyValueTests {
    @Test func `files have names`() {
        let problems = RecipeTests.problems([
            "layers": [
                ["name": "a", "sources": [""]], ["name": "b", "sources": ["b.csv"], "regions": ""],
                ["name": "c", "sources": ["c.csv", ""]],
            ]
        ])
        #expect(
            problems == [
                "expected the name of a file at layers[0].sources[0], found \"\"",
                "expected the name of a file at layers[1].regions, found \"\"",
                "expected the name of a file at layers[2].sources[1], found \"\"",
            ])
    }

    @Test(arguments: [true, false])
    func `a grid of no width is refused in the same words, fitted or not`(isFitted: Bool) {
        let problems = RecipeTests.problems(
            RecipeTests.recipe(clusters: [
                "algorithm": "grid", "radius": 0, "gridFit": .bool(isFitted),
            ]))
        #expect(problems == ["layers[0].clusters: a grid needs a radius larger than 0"])
    }
}
