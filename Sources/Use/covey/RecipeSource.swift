import Recipes
import Arguments
import JSON
import Platform
import PointInput
import Spelling
import TileArchive
import Tileset

/// The recipe for a command line: from a file, or with one layer for each input.
struct RecipeSource {
    let recipe: Recipe
    /// The folder that the recipe's files are relative to; nil if they are relative to the current one.
    let directory: String?
    /// The file of the recipe, if there is one.
    let files: [String]

    /// - Parameter inputs: the operands of the command line.
    init(of inputs: [String], _ arguments: ParsedArguments) throws {
        let document: JSONValue
        let settings = try RecipeOptions.given(in: arguments)
        let hasFormat = settings.contains { $0.flag.option.name == "format" }
        if let file = inputs.first, let recipe = try Self.recipe(in: file, unlessBare: hasFormat) {
            guard inputs.count == 1 else {
                throw UsageError.contradiction(
                    "\(file) is a recipe, and a recipe is built alone",
                    remedy: "name the other inputs in the recipe's layers")
            }
            let naming = [
                ("--layer", arguments.has(BuildVerb.layer)),
                ("--named-layer", arguments.has(BuildVerb.namedLayer)),
            ]
            if let option = naming.first(where: \.1)?.0 {
                throw UsageError.contradiction(
                    "\(file) is a recipe, whose layers have names", remedy: "leave out \(option)")
            }
            document = recipe
            try Self.checkClusters(of: recipe, in: file, settings.map(\.flag))
            directory = RecipeFile.directory(of: file)
            files = [file]
        } else {
            document = NamedLayer.document(
                of: inputs, and: arguments[BuildVerb.namedLayer], layer: arguments[BuildVerb.layer])
            directory = nil
            files = []
        }
        let base =
            arguments[BuildVerb.noClusters]
            ? try Self.withoutClusters(document, settings.map(\.flag)) : document
        do {
            recipe = try Recipe(reading: JSONNode(Recipe.document(base, setting: settings)))
        } catch let error as RecipeError {
            guard let file = files.first else {
                throw UsageError.several(error.withOptions.problems.map { .unusable($0) })
            }
            throw error.named(file)
        }
    }

    /// The build of the recipe; the archive may not replace the recipe's own file.
    func build(
        to path: String, in container: any ArchiveContainer.Type = MBTiles.self,
        _ options: BuildOptions, _ progress: @escaping BuildRun.Progress = { _ in }
    ) -> TilesetBuild {
        var options = options
        options.sourceDirectory = directory
        options.otherInputs = files
        return TilesetBuild(
            recipe, to: path, in: container, options: options, progress: progress)
    }

    /// Throws if options are about clusters, and no layer of a recipe has any.
    private static func checkClusters(
        of document: JSONValue, in file: String, _ asked: [RecipeFlag]
    ) throws(UsageError) {
        guard let option = asked.first(where: { $0.section == .clusters })?.option,
            let layers = document.asObject?["layers"]?.asArray, !layers.isEmpty,
            layers.allSatisfy({ $0.asObject?["clusters"] == false })
        else { return }
        throw .contradiction(
            "--\(option.name) is about clusters, and no layer of \(file) has any",
            remedy: "leave it out, or remove \"clusters\": false from a layer")
    }

    /// The recipe without clustered layers; other options then apply to the bins, if there are any.
    private static func withoutClusters(
        _ document: JSONValue, _ asked: [RecipeFlag]
    ) throws -> JSONValue {
        let tiles = document.asObject?["tiles"]?.asObject
        let hasBins = tiles?["bins"] != nil || asked.contains { $0.option.name == "bins" }
        let ofBins = hasBins ? ["aggregate", "cluster-properties", "facet", "facet-zone"] : []
        let idle = hasBins ? ["heat"] : ["heat", "max-tile-bytes", "max-tile-features"]
        let isIdle = { (flag: RecipeFlag) in
            let name = flag.option.name
            return flag.section == .clusters && !ofBins.contains(name) || idle.contains(name)
        }
        if let option = asked.first(where: isIdle)?.option {
            throw UsageError.contradiction(
                "--no-clusters leaves nothing for --\(option.name) to do",
                remedy: "leave one of them out")
        }
        return hasBins ? document.withoutFormedClusters : document.withoutClusters
    }

    /// The path of a source of the recipe.
    func path(of source: String) -> String {
        guard let directory, PointSource.isFile(source), !source.hasPrefix("/") else {
            return source
        }
        return directory + "/" + source
    }

    /// The document of a file, if it is a recipe.
    /// - Parameter isBare: whether an object without layers is a record.
    private static func recipe(in file: String, unlessBare isBare: Bool) throws -> JSONValue? {
        // Reading a fifo would remove bytes that the reader of points needs.
        guard file.hasSuffix(".json"), (try? FileStatus(of: file))?.isRegular ?? false,
            let start = try? TextFile.start(of: file, upTo: RecipeFile.limit)
        else { return nil }
        let decoded = TextFile.decoded(start)
        let text = decoded ?? String(decoding: start, as: UTF8.self)
        // All GeoJSON has a type, or features if that was forgotten; a recipe has neither. The
        // reader of points reports what cannot be parsed, unless it has layers.
        let parsed = try? JSONValue(parsing: text)
        // A table in JSON, or an answer of Overpass.
        if parsed?.asArray != nil || parsed?.asObject?["elements"] != nil { return nil }
        guard let document = parsed, let root = document.asObject else {
            guard text.contains("\"layers\""), !text.contains(/"type"\s*:/) else { return nil }
            return try RecipeFile.document(of: file)
        }
        if root["version"] != nil, root["sources"] != nil {
            throw UsageError.contradiction(
                "\(file) is a style and no recipe",
                remedy: "covey recipe import \(file) makes a recipe of its clustered sources")
        }
        // Combined with a document in one expression, nil would mean JSON's null.
        if root["type"] != nil || root["features"] != nil { return nil }
        // Without any key of a recipe it is a record, or some service's answer, which the reader of points reports.
        let isRecipe = root.keys.contains {
            ["tiles", "$schema"].contains($0) || ["layers"].nearest(to: $0) != nil
        }
        guard isRecipe else { return nil }
        if isBare && root["layers"] == nil { return nil }
        // What is no UTF-8 shows that it is a recipe, but not all of its letters.
        return decoded == nil ? try RecipeFile.document(of: file) : document
    }
}

extension JSONValue {
    /// The recipe with every layer unclustered.
    fileprivate var withoutClusters: JSONValue { mapLayers { $0["clusters"] = false } }

    /// The recipe with every layer's clusters used only for its bins.
    fileprivate var withoutFormedClusters: JSONValue {
        mapLayers { layer in
            var clusters = layer["clusters"]?.asObject ?? [:]
            clusters["formed"] = false
            layer["clusters"] = .object(clusters)
        }
    }

    private func mapLayers(_ change: (inout JSONObject) -> Void) -> JSONValue {
        guard var root = asObject, let layers = root["layers"]?.asArray else { return self }
        root["layers"] = .array(
            layers.map { layer in
                var object = layer.asObject ?? [:]
                change(&object)
                return .object(object)
            })
        return .object(root)
    }
}
