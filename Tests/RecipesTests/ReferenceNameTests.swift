import JSON
import Recipes
import Testing

/// Attributes that a recipe names, and values at the edge of what it takes.
struct ReferenceNameTests {
    private static func recipe(_ clusters: JSONValue, _ more: JSONObject = [:]) throws -> Recipe {
        var layer: JSONObject = ["name": "a", "sources": ["a.csv"], "clusters": clusters]
        for member in more.members { layer[member.key] = member.value }
        return try Recipe(reading: JSONNode(["layers": .array([.object(layer)])]))
    }

    @Test func `attributes that no point has are told, each at its location`() throws {
        let recipe = try Self.recipe(
            ["aggregates": ["s": "sum:magnitud"], "inherit": ["name", "kind"]])
        try recipe.checkReferences(to: ["magnitud", "name", "kind", "other"])
        do {
            try recipe.checkReferences(to: ["magnitude", "name"])
            Issue.record("two attributes are unknown")
        } catch {
            #expect(error.problems.count == 2)
            #expect(
                error.problems.contains {
                    $0.contains("no point has \"magnitud\"; did you mean \"magnitude\"?")
                })
            #expect(error.problems.contains { $0.hasSuffix("no point has \"kind\"") })
        }
    }

    /// Points are weighed before attributes that pose as clusters' own are renamed or dropped.
    @Test func `a weight of a reserved name is there, unless that name is refused`() throws {
        for (reserved, isKnown) in [("refuse", false), ("rename", true), ("drop", true)] {
            for (weight, isReserved) in [("point_count", true), ("none", false)] {
                let recipe = try Self.recipe(
                    ["weight": .string(weight)], ["reservedNames": .string(reserved)])
                let problems = Result { try recipe.checkReferences(to: ["a"]) }
                #expect(((try? problems.get()) != nil) == (isKnown && isReserved), "\(reserved)")
            }
        }
    }

    @Test func `a radius of nothing is a radius, a negative one is none`() throws {
        for radius: JSONValue in [0, ["0": 0, "10": 40], ["31": 0.5]] {
            _ = try Self.recipe(["radius": radius])
        }
        for radius: JSONValue in [-1, ["0": -0.5], ["32": 4], ["01": 4], [:]] {
            #expect(throws: (any Error).self) { try Self.recipe(["radius": radius]) }
        }
    }

    @Test func `ranges are told in words`() {
        #expect(RecipeValue.integer(2 ... .max).inWords == "a whole number, 2 or more")
        #expect(RecipeValue.integer(0...30).inWords == "a whole number from 0 to 30")
        #expect(RecipeValue.number(0 ... .infinity).inWords == "a number, 0 or more")
        #expect(RecipeValue.number(0.5...2).inWords == "a number from 0.5 to 2")
    }
}
