import ArchiveContract
import Recipes
import Clustering
import Geometry
import JSON
import PointInput
import TileArchive

/// The metadata of an archive, put together from what was drawn.
struct ArchiveFacts {
    private let recipe: Recipe
    private let layers: [LayerFacts]
    private let statistics: [LayerStatistics]
    private let keyNames: [String]
    private let blocks: ClusterDescription.Blocks?
    private let plan: ZoomPlan
    /// The zooms that have tiles: with `variableDepth` the deepest may have none.
    private let zooms: ClosedRange<UInt8>
    private let bounds: LonLatBox
    private let generator: String

    init(
        _ recipe: Recipe, _ ledger: LeafLedger, keys: [String],
        _ plan: ZoomPlan, _ drawnBox: WorldBox, deepest: UInt8?, generator: String
    ) {
        self.recipe = recipe
        layers = ledger.facts
        statistics = ledger.statistics
        keyNames = keys
        blocks = ledger.blocks
        self.plan = plan
        let least = plan.zooms.lowerBound
        zooms = least...max(least, min(deepest ?? plan.maxZoom, plan.maxZoom))
        bounds = LonLatBox(requesting: drawnBox)
        self.generator = generator
    }

    var metadata: ArchiveMetadata {
        var metadata = ArchiveMetadata(name: name)
        metadata.description = recipe.about.description ?? name
        metadata.attribution = recipe.about.attribution
        metadata.type = "overlay"
        metadata.version = "1"
        metadata.minZoom = zooms.lowerBound
        metadata.maxZoom = zooms.upperBound
        metadata.bounds = bounds
        metadata.center = center
        metadata.centerZoom = min(opening, zooms.upperBound)
        metadata.generator = generator
        metadata.generatorOptions = recipe.withoutPaths.json.text()
        metadata.vectorLayers = statistics.map {
            $0.vectorLayer(keys: keyNames, zooms: zooms)
        }
        addCompanions(to: &metadata)
        // What no tile has is not told of.
        let empty = Set(layers.filter { $0.leafCount == 0 }.map(\.name))
        metadata.vectorLayers.removeAll { empty.contains($0.id) }
        let filled = statistics.filter { !empty.contains($0.name) }
        metadata.tileStats = [
            "layerCount": .integer(Int64(filled.count)),
            "layers": .array(filled.map { $0.json(keys: keyNames) }),
        ]
        metadata.covey = description.json
        _ = metadata.dropLongStatistics()
        return metadata
    }

    /// Lists the companion layers, and how points are spread.
    private func addCompanions(to metadata: inout ArchiveMetadata) {
        let place = VectorLayer.Field(PointSpread.attribute, .string)
        for (index, layer) in layers.enumerated() {
            if let deepest = layer.extras.heatMaxZoom, layer.leafCount > 0 {
                let hasCounts = layer.clusterCount > 0
                metadata.vectorLayers.append(
                    VectorLayer(
                        id: CompanionLayer.heat.name(beside: layer.name),
                        fields: hasCounts ? [.init(ClusterAttribute.pointCount.name, .number)] : [],
                        minZoom: plan.zooms.lowerBound, maxZoom: UInt8(deepest)))
            }
            if let bins = layer.bins {
                if !recipe.layers[index].isClustered {
                    metadata.vectorLayers[index].minZoom = UInt8(bins.maxZoom) + 1
                }
                metadata.vectorLayers.append(bins.vectorLayer(keys: keyNames))
            }
            guard let spread = layer.spread else { continue }
            metadata.vectorLayers[index].fields.append(place)
            metadata.vectorLayers.append(
                VectorLayer(
                    id: CompanionLayer.legs.name(beside: layer.name), fields: [place],
                    minZoom: max(plan.zooms.lowerBound, UInt8(spread.firstZoom)),
                    maxZoom: plan.maxZoom))
        }
    }

    private var name: String {
        recipe.about.name ?? layers.map(\.name).joined(separator: ", ")
    }

    /// The zoom at which a map opens: one that shows about half of the data's width.
    private var opening: UInt8 {
        let zoom = UInt8(min(max((360 / max(bounds.width, 1e-6)).exponent, 0), 24))
        return min(max(zoom, plan.zooms.lowerBound), plan.zooms.upperBound)
    }

    /// Where a map should open: on the largest marker.
    private var center: LonLat {
        var best: LayerFacts.Largest?
        for layer in layers {
            guard let largest = layer.largest(at: opening) else { continue }
            if largest.points > best?.points ?? 0 { best = largest }
        }
        return bounds.nearest(to: best?.position.lonLat ?? bounds.center)
    }

    /// The leaf numbers of each layer, how it was clustered, and how ids are made.
    private var description: ClusterDescription {
        var description = ClusterDescription(
            layers: recipe.layers.indices.map(describe),
            buffer: recipe.tiles.buffer, extent: 1 << Int64(recipe.tiles.extentBits),
            ids: .placed)
        description.blocks = blocks
        if recipe.tiles.variableDepth {
            description.extent = nil
            description.variableDepth = Int(ClusterDescription.coveredZooms)
        }
        return description
    }

    private func describe(_ index: Int) -> ClusterDescription.Layer {
        let (recipe, layer) = (recipe.layers[index], layers[index])
        let maxZoom = plan.clusterMaxZoom(of: recipe)
        var description = ClusterDescription.Layer(
            name: layer.name, leaves: layer.leaves, clusterCount: Int64(layer.clusterCount),
            minZoom: Int(plan.zooms.lowerBound), maxZoom: maxZoom,
            clustering: recipe.clusters.map { clusters in
                var clustering = describe(
                    clusters, recipe.describedRadius, of: layer, maxZoom: maxZoom)
                clustering.fineness = recipe.nameFineness
                return clustering
            },
            carries: layer.carries(keyNames))
        description.heatMaxZoom = layer.extras.heatMaxZoom
        description.spread = layer.extras.spread?.pixels
        description.bins = layer.bins.map { .init($0.bins, maxZoom: $0.maxZoom) }
        description.facets = (plan.facets[layer.name] ?? []).map { layout in
            ClusterDescription.Facet(layout, zone: recipe.clusters?.facetZone)
        }
        return description
    }

    private func describe(
        _ recipe: ClusterRecipe, _ radius: RadiusByZoom, of layer: LayerFacts, maxZoom: Int
    ) -> ClusterDescription.Clustering {
        let options = recipe.options
        var clustering = ClusterDescription.Clustering(
            radius: radius, algorithm: options.algorithm.rawValue)
        clustering.minPoints = Int64(options.minPoints)
        clustering.wrap = options.wrap
        clustering.keepCoincident = options.keepCoincident
        clustering.minUniqueLocations = Int64(options.minUniqueLocations)
        clustering.groupBy = options.groupBy
        clustering.countLetters = recipe.countLetters
        clustering.groups = Int64(layer.groupCount)
        if layer.deepestZoom > maxZoom { clustering.heldMaxZoom = layer.deepestZoom }
        return clustering
    }
}

extension Recipe {
    /// The recipe with its files named but without their folders: the same wherever it is built.
    fileprivate var withoutPaths: Recipe {
        var recipe = self
        for index in recipe.layers.indices {
            recipe.layers[index].sources = recipe.layers[index].sources.map(\.withoutPath)
            recipe.layers[index].input.join?.file.removePath()
            recipe.layers[index].input.regions?.removePath()
        }
        return recipe
    }
}

extension String {
    /// The name of a file, without where it is, and without what opens an address or a database: users, passwords, signatures.
    fileprivate var withoutPath: String {
        let isAddress = contains("://")
        guard isAddress || PointSource.isFile(self) else {
            return prefix { $0 != ":" } + (contains(":") ? ":" : "")
        }
        let path = isAddress ? prefix { $0 != "?" && $0 != "#" } : self[...]
        return path.split(separator: "/").last.map(String.init) ?? self
    }

    fileprivate mutating func removePath() { self = withoutPath }
}
