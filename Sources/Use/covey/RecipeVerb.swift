import Arguments
import JSON
import Recipes

/// `covey recipe check|show|schema|import`.
enum RecipeVerb: Verb {
    static let name = "recipe"
    static let summary = "checks, shows and imports recipes, the JSON files of builds"
    static let usage = """
        recipe check RECIPE.json
               covey recipe show [INPUT…] [--all] [options of build]
               covey recipe schema
               covey recipe import STYLE.json [-o RECIPE.json] [--style OUT.json] [--url URL]
        """
    static let examples = [
        "recipe check tilesets/earthquakes.json",
        "recipe show places.csv --cluster-radius 40 --aggregate population=sum:pop > places.json",
        "recipe import style.json -o sources.json --style style-with-tiles.json",
    ]

    static let output = Option<String?>(
        "output", short: "o", "RECIPE.json", "the recipe to write (default: standard output)")
    static let style = Option<String?>(
        "style", "OUT.json", "the style to write, with the tiles as its sources")
    static let url = Option<String?>(
        "url", "URL", "where that style finds the tiles (default: the recipe's name at /)")
    static let force = Option<Bool>(flag: "force", short: "f", "replace existing files")
    static let all = Option<Bool>(flag: "all", "also show values that are the default")

    static let syntax = VerbSyntax(
        operands: [
            .init("check|show|schema|import", "what to do"),
            .init("FILE", "a recipe, a style, or what to build", count: 0...1_000_000),
        ],
        groups: [
            .init("import", output, style, url, force),
            .init("show", all),
            .init("show: about", RecipeOptions.about),
            .init("show: input", BuildVerb.layer, BuildVerb.namedLayer, RecipeOptions.input),
            .init("show: tiles", RecipeOptions.tiles),
            .init("show: clusters", BuildVerb.noClusters, RecipeOptions.clusters),
        ],
        common: ["output", "style", "url", "force", "all"], phrasebook: Tippecanoe.phrasebook)

    enum Action: String, CaseIterable { case check, show, schema, `import` }

    static func run(_ arguments: ParsedArguments, console: Console) throws {
        let action = try Action(firstOf: arguments, of: name)
        let files = Array(arguments.operands.dropFirst())
        try refuseOptions(idleIn: action, arguments)
        switch action {
        case .check: try check(try only(files, "RECIPE.json"), console: console)
        case .show:
            guard !files.isEmpty || arguments.has(BuildVerb.namedLayer) else {
                throw UsageError.missingArgument("INPUT")
            }
            let source = try RecipeSource(of: files, arguments)
            let recipe = source.recipe.moved(from: source.directory ?? ".", to: ".")
            for problem in RecipeFile(source).missing { console.say(problem) }
            console.print(recipe.json(withDefaults: arguments[all]).text(.pretty))
        case .schema:
            guard files.isEmpty else { throw UsageError.extraArgument(files[0]) }
            console.print(Recipe.schema.text(.pretty))
        case .import:
            try importStyle(try only(files, "STYLE.json"), arguments, console: console)
        }
    }

    private static func only(_ files: [String], _ name: String) throws -> String {
        guard let file = files.first else { throw UsageError.missingArgument(name) }
        guard files.count == 1 else { throw UsageError.extraArgument(files[1]) }
        return file
    }

    /// Refuses options that have no effect on the action.
    private static func refuseOptions(idleIn action: Action, _ arguments: ParsedArguments) throws {
        let ofImport: [any OptionDeclaring] = [output, style, url, force]
        let ofShow: [any OptionDeclaring] = [
            RecipeOptions.all.map(\.option.declaration), BuildVerb.layer, BuildVerb.namedLayer,
            BuildVerb.noClusters, all,
        ]
        let idle = (action == .import ? [] : ofImport) + (action == .show ? [] : ofShow)
        guard let name = arguments.given(among: idle).first else { return }
        throw UsageError.contradiction(
            "covey recipe \(action) has no use for --\(name)", remedy: "leave it out")
    }

    private static func check(_ path: String, console: Console) throws {
        let file = try RecipeFile(path)
        let missing = file.missing
        guard missing.isEmpty else { throw RecipeError(problems: missing).named(path) }
        let layers = file.recipe.layers.map(\.name)
        let word = layers.count == 1 ? "layer" : "layers"
        console.say("\(path) is fine; \(word): \(layers.joined(separator: ", "))")
    }
}
