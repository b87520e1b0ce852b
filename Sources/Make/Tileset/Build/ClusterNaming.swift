import ArchiveContract
import Clustering
import Geometry
import Pipelines
import Points
import Recipes

/// The order of clusters that stand in one cell of the grid of names; it does not depend on how a build is cut.
struct NamingOrder {
    /// The hierarchy of the layer that the cluster is in.
    let hierarchy: Int
    /// The position of its first leaf.
    let seed: WorldPoint

    func precedes(_ other: NamingOrder) -> Bool {
        (hierarchy, seed.x, seed.y) < (other.hierarchy, other.seed.x, other.seed.y)
    }
}

extension ClusterNames {
    /// Names for the clusters of a layer.
    /// - Parameter index: the layer's index in the recipe.
    init(of layer: Recipe.Layer, at index: Int) {
        self.init(layer: index, fineness: layer.nameFineness)
    }

    /// The ids of all clusters, by index.
    /// - Parameter order: the order of a cluster; it is called for very few.
    consuming func ids(
        ofLayer name: String, order: (Int) -> NamingOrder
    ) throws(BuildError) -> [Int64] {
        do {
            return try ids { order($0).precedes(order($1)) }
        } catch {
            throw .tooManyClusters(layer: name, error)
        }
    }
}

extension ClusterTree {
    /// The ids of all clusters of a layer.
    func ids(
        of layer: Recipe.Layer, at index: Int, in table: PointTable, threads: Int
    ) throws -> Column<Int64> {
        var names = ClusterNames(of: layer, at: index)
        let pieces = PieceCounter(total: clusterCount, size: 1 << 16)
        try OrderedPipeline(threads: threads).run(
            next: { pieces.next() }, state: {},
            work: { _, piece in
                var names = ClusterNames(of: layer, at: index)
                let (xs, ys, zooms) = (xs, ys, zooms)
                for cluster in piece {
                    names.add(
                        at: WorldPoint(x: xs[cluster], y: ys[cluster]), zoom: Int(zooms[cluster]))
                }
                names.sort()
                return names
            },
            consume: { names.append($0) })
        return Column(
            try names.ids(ofLayer: layer.name) { cluster in
                NamingOrder(
                    hierarchy: groups.firstIndex { $0.clusters.contains(cluster) } ?? 0,
                    seed: table.position(of: Int(leafRows[Int(firsts[cluster])])))
            })
    }
}

extension Recipe {
    /// The id of a cluster.
    /// - Parameter facts: those about all layers.
    func id(of cluster: ClusterRecord, _ facts: [LayerFacts]) -> Int64 {
        let layer = facts.firstIndex { $0.leaves.contains(cluster.key.firstLeaf) } ?? 0
        return cluster.id(inLayer: layer, fineness: layers[layer].nameFineness).number
    }
}

extension Recipe.Layer {
    /// How fine the grid is in which the layer's clusters are named.
    var nameFineness: Int {
        NameGrid.fineness(radius: describedRadius, isGrouped: clusters?.options.groupBy != nil)
    }

    /// The radius in the form that archives describe it in.
    var describedRadius: RadiusByZoom {
        let stops = clusters?.usedRadius.stops.map { (zoom: $0.zoom, pixels: $0.pixels) }
        return stops.flatMap { RadiusByZoom(stops: $0) } ?? RadiusByZoom(0)
    }
}
