import ArchiveContract
import Recipes
import Clustering
import Geometry
import JSON
import Points
import TileArchive

/// What an archive says of itself: its metadata, put together from what was drawn.
struct ArchiveAccount {
    private let recipe: Recipe
    private let drawn: DrawnLayers
    private let statistics: [LayerStatistics]
    private let plan: ZoomPlan
    private let bounds: LonLatBox
    private let generator: String

    init(
        _ recipe: Recipe, _ drawn: DrawnLayers, _ statistics: [LayerStatistics], _ plan: ZoomPlan,
        _ drawnBox: WorldBox, generator: String
    ) {
        self.recipe = recipe
        self.drawn = drawn
        self.statistics = statistics
        self.plan = plan
        bounds = LonLatBox(requesting: drawnBox)
        self.generator = generator
    }

    var metadata: ArchiveMetadata {
        let keys = drawn.keyNames
        var metadata = ArchiveMetadata(name: name)
        metadata.description = recipe.about.description ?? name
        metadata.attribution = recipe.about.attribution
        metadata.type = "overlay"
        metadata.version = "1"
        metadata.minZoom = plan.zooms.lowerBound
        metadata.maxZoom = plan.zooms.upperBound
        metadata.bounds = bounds
        (metadata.center, metadata.centerZoom) = largestMarker
        metadata.generator = generator
        metadata.generatorOptions = recipe.withoutPaths.json.text()
        metadata.vectorLayers = statistics.map { $0.vectorLayer(keys: keys, zooms: plan.zooms) }
        addCompanions(to: &metadata)
        metadata.tileStats = [
            "layerCount": .integer(Int64(statistics.count)),
            "layers": .array(statistics.map { $0.json(keys: keys) }),
        ]
        metadata.covey = description.json
        return metadata
    }

    /// Lists the layers beside layers, and what spread points say.
    private func addCompanions(to metadata: inout ArchiveMetadata) {
        let place = VectorLayer.Field(PointSpread.attribute, .string)
        for (index, layer) in drawn.layers.enumerated() {
            if let deepest = layer.extras.heatMaxZoom, layer.tree.leafCount > 0 {
                let hasCounts = layer.tree.clusterCount > 0
                metadata.vectorLayers.append(
                    VectorLayer(
                        id: CompanionLayer.heat.name(beside: layer.name),
                        fields: hasCounts ? [.init(ClusterAttribute.pointCount.name, .number)] : [],
                        minZoom: plan.zooms.lowerBound, maxZoom: UInt8(deepest)))
            }
            guard let spread = layer.spread, !spread.leaves.isEmpty else { continue }
            metadata.vectorLayers[index].fields.append(place)
            metadata.vectorLayers.append(
                VectorLayer(
                    id: CompanionLayer.legs.name(beside: layer.name), fields: [place],
                    minZoom: max(plan.zooms.lowerBound, spread.shallowest),
                    maxZoom: plan.maxZoom))
        }
    }

    private var name: String {
        recipe.about.name ?? drawn.layers.map(\.name).joined(separator: ", ")
    }

    /// Where a map should open: on the largest marker, at a zoom that shows about half of the data's
    /// width.
    private var largestMarker: (LonLat, UInt8) {
        let zoom = UInt8(min(max((360 / max(bounds.width, 1e-6)).exponent, 0), 24))
        let opening = min(max(zoom, plan.zooms.lowerBound), plan.zooms.upperBound)
        var best: (points: UInt32, position: WorldPoint)?
        for layer in drawn.layers {
            let tree = layer.tree
            for cluster in 0..<tree.clusterCount
            where Int(tree.parentZooms[cluster]) < Int(opening) + 2
                && tree.zooms[cluster] >= opening && tree.leaves[cluster] > best?.points ?? 0
            {
                let position = WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster])
                best = (tree.leaves[cluster], position)
            }
        }
        return (bounds.nearest(to: best?.position.lonLat ?? bounds.center), opening)
    }

    /// Which leaf numbers are whose, how they were clustered, and how ids are made.
    private var description: ClusterDescription {
        var description = ClusterDescription(
            layers: zip(recipe.layers, drawn.layers).map(describe),
            buffer: recipe.tiles.buffer, extent: 1 << Int64(recipe.tiles.extentBits),
            ids: drawn.ids)
        if recipe.tiles.variableDepth {
            description.extent = nil
            description.variableDepth = Int(ClusterDescription.coveredZooms)
        }
        return description
    }

    private func describe(
        _ recipe: Recipe.Layer, _ layer: DrawnLayer
    ) -> ClusterDescription.Layer {
        let first = Int64(layer.firstLeaf)
        let maxZoom = plan.clusterMaxZoom(of: recipe)
        var description = ClusterDescription.Layer(
            name: layer.name, leaves: first..<first + Int64(layer.tree.leafCount),
            clusterCount: Int64(layer.tree.clusterCount), minZoom: Int(plan.zooms.lowerBound),
            maxZoom: maxZoom,
            clustering: recipe.clusters.map { describe($0, of: layer, maxZoom: maxZoom) },
            carries: carries(of: layer))
        description.heatMaxZoom = layer.extras.heatMaxZoom
        description.spread = layer.extras.spread?.pixels
        return description
    }

    /// What clusters' features carry beyond what the index knows: attributes that were asked for,
    /// aggregates, and what is inherited.
    private func carries(of layer: DrawnLayer) -> [String] {
        var keys: Set<AttributeKey> = []
        let attributes = layer.tree.attributes
        attributes.forEachRecord(of: 0..<attributes.count) { _, record in
            var cursor = record.makeCursor()
            while let attribute = cursor.next() { keys.insert(attribute.key) }
        }
        let names = drawn.keyNames
        return layer.attributes.filter { $0.presence == .onRequest }.map(\.name)
            + keys.map { names[Int($0.number)] }.sorted()
    }

    private func describe(
        _ recipe: ClusterRecipe, of layer: DrawnLayer, maxZoom: Int
    ) -> ClusterDescription.Clustering {
        let options = recipe.options
        let stops = recipe.usedRadius.stops.map { (zoom: $0.zoom, pixels: $0.pixels) }
        var clustering = ClusterDescription.Clustering(
            radius: RadiusByZoom(stops: stops) ?? RadiusByZoom(0),
            algorithm: options.algorithm.rawValue)
        clustering.minPoints = Int64(options.minPoints)
        clustering.wrap = options.wrap
        clustering.keepCoincident = options.keepCoincident
        clustering.minUniqueLocations = Int64(options.minUniqueLocations)
        clustering.groupBy = options.groupBy
        clustering.countLetters = recipe.countLetters
        clustering.groups = Int64(layer.tree.groups.count)
        let deepest = (0..<layer.tree.clusterCount).reduce(0) {
            max($0, Int(layer.tree.zooms[$1]))
        }
        if deepest > maxZoom { clustering.heldMaxZoom = deepest }
        return clustering
    }
}

extension Recipe {
    /// The recipe with files named, but not where they lie: the same wherever it is built.
    var withoutPaths: Recipe {
        var recipe = self
        for index in recipe.layers.indices {
            recipe.layers[index].sources = recipe.layers[index].sources.map { source in
                source.split(separator: "/").last.map(String.init) ?? source
            }
        }
        return recipe
    }
}
