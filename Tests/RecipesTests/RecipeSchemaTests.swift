import Foundation
import JSON
import Testing

import Recipes

struct RecipeSchemaTests {
    /// The top of the source tree.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `the published schema is the one that recipes are read by`() throws {
        let file = Self.root.appending(path: "tilesets/recipe.schema.json")
        let published = try String(contentsOf: file, encoding: .utf8)
        #expect(
            published == Recipe.schema.text(.pretty) + "\n",
            "renew it: covey recipe schema > tilesets/recipe.schema.json")
    }

    @Test(arguments: ["earthquakes", "places", "ports", "airports"])
    func `a sample says who made its data and where it is`(name: String) throws {
        let folder = Self.root.appending(path: "tilesets")
        let file = folder.appending(path: "\(name).json")
        let document = try JSONValue(parsing: try String(contentsOf: file, encoding: .utf8))
        let recipe = try Recipe(reading: JSONNode(document))
        #expect(recipe.about.name != nil && recipe.about.attribution != nil)
        for source in recipe.layers.flatMap(\.sources) {
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: source).path))
        }
    }
}
