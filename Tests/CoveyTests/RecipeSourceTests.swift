import Arguments
import JSON
import Testing

@testable import covey

/// What the files of a line are: recipes, or points of a layer each.
struct RecipeSourceTests {
    private static func source(_ terminal: Terminal, _ files: [String], _ words: [String] = [])
        throws -> RecipeSource
    {
        let paths = files.map { terminal.folder.appending(path: $0).path }
        return try RecipeSource(of: paths, BuildVerb.syntax.parse(words))
    }

    private static let recipe =
        #"{"layers": [{"name": "a", "sources": ["b.csv", "/c.csv", "https://x.org/d.csv"]}, {"name": "e", "sources": ["-"], "clusters": {"radius": 30}}]}"#

    @Test(arguments: [
        ("r.json", recipe, true), ("r.txt", recipe, false), ("r.geojson", recipe, false),
        ("g.json", #"{"type": "FeatureCollection", "features": []}"#, false),
        ("g.json", #"{"features": []}"#, false), ("g.json", "[1]", false),
        ("g.json", #"{"elements": [], "layers": []}"#, false),
        ("g.json", #"{"total_count": 1, "results": [{"lon": 1, "lat": 2}]}"#, false),
        ("g.json", #"{"name": "A", "lat": 52, "lon": 13}"#, false),
        ("g.json", #"{"type": "Feature", "layers": [}"#, false), ("g.json", "nothing", false),
    ])
    func `a file is a recipe by its name and by what it says`(
        name: String, text: String, isRecipe: Bool
    ) throws {
        let terminal = try Terminal()
        try terminal.write(text, to: name)
        let source = try Self.source(terminal, [name])
        let path = terminal.folder.appending(path: name).path
        #expect(source.files == (isRecipe ? [path] : []))
        #expect((source.directory != nil) == isRecipe)
        #expect(
            source.recipe.layers.map(\.name)
                == (isRecipe ? ["a", "e"] : [String(name.prefix { $0 != "." })]))
        if isRecipe {
            let folder = terminal.folder.path
            #expect(
                source.recipe.layers.flatMap(\.sources).map { source.path(of: $0) } == [
                    "\(folder)/b.csv", "/c.csv", "https://x.org/d.csv", "-",
                ])
        } else {
            #expect(
                source.path(of: "b.csv") == "b.csv" && source.recipe.layers[0].sources == [path])
        }
    }

    private static func error(_ terminal: Terminal, _ files: [String], _ words: [String] = [])
        -> String
    {
        do {
            _ = try source(terminal, files, words)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `a recipe is built alone, and its layers have their names`() throws {
        let terminal = try Terminal()
        try terminal.write(Self.recipe, to: "r.json")
        try terminal.write(#"{"version": 8, "sources": {}, "layers": []}"#, to: "style.json")
        try terminal.write(#"{"version": 8, "layers": []}"#, to: "version.json")
        try terminal.write(#"{"layers": ["#, to: "broken.json")
        for (files, words, text) in [
            (["r.json", "b.csv"], [], "r.json is a recipe, and a recipe is built alone"),
            (
                ["r.json"], ["-l", "x"],
                "r.json is a recipe, whose layers have names\nleave out --layer"
            ),
            (["r.json"], ["-L", "x:y.csv"], "whose layers have names\nleave out --named-layer"),
            (["style.json"], [], "style.json is a style and no recipe"),
            (
                ["r.json"], ["--no-clusters", "--cluster-radius", "9"],
                "leaves nothing for --cluster-radius to do"
            ),
        ] as [([String], [String], String)] {
            #expect(Self.error(terminal, files, words).contains(text), "\(files) \(words)")
        }
        for name in ["version.json", "broken.json"] {
            let message = Self.error(terminal, [name])
            #expect(!message.isEmpty && !message.contains("is a style"))
        }
        // Behind another input, what would be a recipe is points.
        #expect(Self.error(terminal, ["b.csv", "r.json"]) == "")
    }

    @Test func `without clusters no layer has any, and with bins they are for the bins`() throws {
        let terminal = try Terminal()
        try terminal.write(Self.recipe, to: "r.json")
        let plain = try Self.source(terminal, ["r.json"], ["--no-clusters"])
        #expect(plain.recipe.layers.allSatisfy { $0.clusters == nil })
        let bins = try Self.source(
            terminal, ["r.json"], ["--no-clusters", "--bins", "square", "--aggregate", "s=sum:n"])
        #expect(bins.recipe.layers.allSatisfy { !$0.isClustered && $0.clusters != nil })
        #expect(bins.recipe.layers[1].clusters?.options.radius == 30)
        let own = try Self.source(terminal, ["b.csv", "c.csv"], ["--no-clusters", "-l", "all"])
        #expect(own.recipe.layers.map(\.name) == ["all"] && own.recipe.layers[0].clusters == nil)
        let usual = try Self.source(terminal, ["r.json"], ["--cluster-radius", "55"])
        #expect(usual.recipe.layers.allSatisfy { $0.clusters?.options.radius == 55 })
    }
}
