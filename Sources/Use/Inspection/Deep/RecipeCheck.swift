import ArchiveContract
import JSON
import Recipes
import TileArchive

/// Compares the recipe that an archive was made by with the archive's description of its clusters.
struct RecipeCheck {
    let description: ClusterDescription
    let metadata: ArchiveMetadata
    /// Whether the archive can answer questions about points and clusters.
    let hasLeaves: Bool

    /// The recipe in `generator_options`; nil, with a finding, if there is none.
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
        let depth = recipe.tiles.variableDepth ? Int(ClusterDescription.coveredZooms) : 0
        if description.variableDepth != depth { differences.append("variableDepth") }
        // A conversion may have left the answers out, and since format 4 what told of them too.
        let isLeftOut = !hasLeaves && description.blocks == nil && description.format > 3
        if recipe.tiles.leaves != hasLeaves, !isLeftOut { differences.append("leaves") }
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

    /// The names of options in which a layer differs from the recipe.
    private func names(
        _ rules: Recipe.Layer, _ layer: ClusterDescription.Layer, _ tiles: TileOptions
    ) -> [String] {
        var names: [String] = []
        func compare(_ name: String, _ isSame: Bool) { if !isSame { names.append(name) } }
        compare("spread", layer.spread == tiles.spread)
        // There are no bins where they would stand for points at all zooms, or where there are no points.
        let mayLackBins = layer.leaves.isEmpty || !rules.isClustered
        compare("bins", layer.bins?.bins == tiles.bins || layer.bins == nil && mayLackBins)
        // If no zoom has clusters, there are no finer counts either.
        let hasHeat =
            tiles.heat && rules.clusters != nil && layer.maxZoom >= Int(tiles.minZoom)
        compare("heat", layer.heatMaxZoom == (hasHeat ? layer.maxZoom : nil))
        guard let asked = rules.clusters, let said = layer.clustering else {
            compare("clustered", (rules.clusters == nil) == (layer.clustering == nil))
            compare("minZoom", layer.minZoom == Int(tiles.minZoom))
            compare("maxZoom", layer.maxZoom == Int(tiles.minZoom) - 1)
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
        compare("groupBy", said.groupBy == options.groupBy)
        compare("facets", layer.facets.map(\.name) == (try? asked.parsedFacets().map(\.name)))
        compare("countLetters", said.countLetters == asked.countLetters)
        compare("minZoom", layer.minZoom == Int(tiles.minZoom))
        compare("maxZoom", isDeepest(layer.maxZoom, of: asked, tiles))
        if options.groupBy == nil { compare("groups", said.groups == 1) }
        return names
    }

    /// Whether a zoom may be the deepest with clusters. This is uncertain if the data decided how
    /// deep tiles go, and some were cut off since.
    private func isDeepest(
        _ maxZoom: Int, of asked: ClusterRecipe, _ tiles: TileOptions
    ) -> Bool {
        let last = Int(tiles.minZoom) - 1
        guard asked.areFormed else { return maxZoom == last }
        func deepest(_ tilesEnd: Int) -> Int {
            max(min(asked.maxZoom ?? tilesEnd - 1, tilesEnd), last)
        }
        if let tilesEnd = tiles.maxZoom { return maxZoom == deepest(Int(tilesEnd)) }
        let known = deepest(metadata.maxZoom.map(Int.init) ?? 0)
        let isWhole = metadata.tileStats != nil && !tiles.variableDepth
        return isWhole ? maxZoom == known : maxZoom >= known
    }
}

extension ClusterDescription {
    fileprivate static let deepestZoom = 31
}
