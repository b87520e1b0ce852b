import ArchiveContract
import Clustering
import Geometry
import Points
import Recipes

/// What drawing a cluster needs to know about the tree below it: box and site. Columns that were
/// not asked for are empty.
struct ClusterTraits: Sendable {
    /// The box around each cluster's points.
    var boxes = Column<Double>()
    /// 1 for clusters whose points all share one site.
    var sites = Column<UInt8>()

    init() {}

    /// The traits of all clusters of a tree that a layer's features carry.
    init(of tree: ClusterTree, in points: PointTable, for layer: Recipe.Layer) {
        if layer.carries(.bbox) {
            for box in tree.boxes(in: points, wraps: layer.wraps) { append(box) }
        }
        guard layer.carries(.uniqueLocation) else { return }
        for cluster in 0..<tree.clusterCount {
            sites.append(tree.isOneSite(cluster, in: points) ? 1 : 0)
        }
    }

    mutating func append(_ box: WorldBox) {
        for edge in [box.minX, box.minY, box.maxX, box.maxY] { boxes.append(edge) }
    }

    /// Appends the traits of a cluster of another collection.
    mutating func append(_ cluster: Int, of other: ClusterTraits) {
        if !other.boxes.isEmpty { append(other.box(of: cluster)) }
        if !other.sites.isEmpty { sites.append(other.sites[cluster]) }
    }

    mutating func append(_ other: ClusterTraits) {
        boxes.append(contentsOf: other.boxes.span)
        sites.append(contentsOf: other.sites.span)
    }

    func box(of cluster: Int) -> WorldBox {
        WorldBox(
            minX: boxes[4 * cluster], minY: boxes[4 * cluster + 1], maxX: boxes[4 * cluster + 2],
            maxY: boxes[4 * cluster + 3])
    }
}

extension Recipe.Layer {
    /// Whether the features of its clusters carry a value that has to be asked for.
    func carries(_ field: ClusterAttribute) -> Bool { clusters?.fields.contains(field) ?? false }
}

extension BlockSink {
    mutating func write(_ traits: ClusterTraits) {
        write(traits.boxes)
        write(traits.sites)
    }
}

extension BlockSource {
    mutating func clusterTraits(_ clusters: Int) throws(Damaged) -> ClusterTraits {
        var traits = ClusterTraits()
        traits.boxes = try column()
        traits.sites = try column()
        let counts = [traits.boxes.count / 4, traits.sites.count]
        guard counts.allSatisfy({ [0, clusters].contains($0) }) else { throw Damaged() }
        return traits
    }
}
