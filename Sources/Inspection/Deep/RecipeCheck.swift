import ArchiveContract
import JSON
import Recipes
import TileArchive

/// The recipe that an archive was made by, held against what the archive says of its clusters.
struct RecipeCheck {
    let description: ClusterDescription

    /// The recipe in `generator_options`; nil, with a finding, where there is none.
    static func recipe(
        of metadata: ArchiveMetadata, _ findings: inout FindingList
    ) -> Recipe? {
        guard let text = metadata.generatorOptions else {
            findings.add(
                .warning, "recipe",
                "the archive does not say by which recipe it was made: attributes are not checked")
            return nil
        }
        do {
            return try Recipe(reading: JSONNode(JSONValue(parsing: text)))
        } catch {
            findings.add(
                .error, "recipe", "generator_options is no recipe", at: "\(error)")
            return nil
        }
    }

    func check(_ recipe: Recipe, _ findings: inout FindingList) {
        var differences: [String] = []
        if recipe.layers.map(\.name) != description.layers.map(\.name) {
            differences.append("its layers")
        }
        if recipe.tiles.buffer != description.buffer { differences.append("buffer") }
        if let extent = description.extent, extent != 1 << Int64(recipe.tiles.extentBits) {
            differences.append("extent")
        }
        for (rules, layer) in zip(recipe.layers, description.layers)
        where rules.name == layer.name {
            differences += names(rules, layer, recipe.tiles).map { "\(layer.name).\($0)" }
        }
        for difference in differences {
            findings.add(
                .error, "recipe",
                "what the archive says of its clusters is not what its recipe asks for",
                at: difference)
        }
    }

    /// The options in which a layer is not what the recipe asks for.
    private func names(
        _ rules: Recipe.Layer, _ layer: ClusterDescription.Layer, _ tiles: TileOptions
    ) -> [String] {
        var names: [String] = []
        func compare(_ name: String, _ isSame: Bool) { if !isSame { names.append(name) } }
        compare("spread", layer.spread == tiles.spread)
        compare("heat", (layer.heatMaxZoom != nil) == (tiles.heat && rules.clusters != nil))
        guard let asked = rules.clusters, let said = layer.clustering else {
            compare("clustered", (rules.clusters == nil) == (layer.clustering == nil))
            return names
        }
        let options = asked.options
        compare(
            "radius",
            (0...ClusterDescription.deepestZoom).allSatisfy {
                said.radius.pixels(at: $0) == asked.usedRadius.pixels(atZoom: $0)
            })
        compare("minPoints", said.minPoints == Int64(options.minPoints))
        compare("algorithm", said.algorithm == options.algorithm.rawValue)
        compare("wrap", said.wrap == options.wrap)
        compare("keepCoincident", said.keepCoincident == options.keepCoincident)
        compare("minUniqueLocations", said.minUniqueLocations == Int64(options.minUniqueLocations))
        compare("minZoom", layer.minZoom == Int(tiles.minZoom))
        if let maxZoom = asked.maxZoom { compare("maxZoom", layer.maxZoom <= maxZoom) }
        if options.groupBy == nil { compare("groups", said.groups == 1) }
        return names
    }
}

extension ClusterDescription {
    fileprivate static let deepestZoom = 31
}
