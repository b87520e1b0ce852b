import Clustering
import Points

/// What a square, or several, hand up for one hierarchy.
struct FrontierUnit {
    var nodes: Frontier
    /// The records of its clusters.
    var records: AttributeTable
    /// What features say about these clusters, and how far their points reach.
    var traits = ClusterTraits()
    var spans: [BoxSpan] = []
    /// The nodes just below these, for finer counts above the cut.
    var below: CellNodes
    /// The number of all clusters below, including those in cells.
    var clusterCount = 0
    /// The number of clusters past the cluster zooms, kept because tiles are crowded.
    var heldCount = 0
    /// How each node that is a point shares its place, where points are drawn apart; and how far
    /// they are drawn apart.
    var shares = CoincidentLeaves()
    var spread: SpreadExtent?
    var skipped: [SkippedValues] = []

    /// The number of points that its nodes are or stand for.
    var leafCount: Int {
        nodes.points.count - nodes.clusters.count + nodes.clusters.reduce(0) { $0 + $1.points }
    }

    mutating func append(_ other: FrontierUnit) {
        nodes.append(other.nodes)
        records.append(other.records)
        traits.append(other.traits)
        spans += other.spans
        below.append(other.below)
        clusterCount += other.clusterCount
        heldCount += other.heldCount
        shares.append(other.shares)
        spread = .union(spread, other.spread)
        skipped += other.skipped
    }
}

extension FrontierUnit {
    init(keys: AttributeKeys) {
        self.init(
            nodes: Frontier(keys: keys), records: AttributeTable(keys: keys),
            below: CellNodes(keys: keys))
    }

    /// Some of the nodes, with what is known about each. Counts over all nodes are left out.
    /// - Parameter rows: the rows of the nodes, ascending.
    func selecting(_ rows: [UInt32]) -> FrontierUnit {
        var selection = FrontierUnit(keys: records.keys)
        let clusters: [Int]
        (selection.nodes, clusters) = nodes.selecting(rows)
        for cluster in clusters {
            selection.records.append(record: cluster, of: records)
            selection.traits.append(cluster, of: traits)
        }
        return selection
    }
}
