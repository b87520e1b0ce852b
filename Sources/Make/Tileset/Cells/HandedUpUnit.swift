import Clustering
import Points

/// What all cells handed up of one hierarchy.
struct HandedUpUnit {
    var nodes: HandedUpNodes
    /// Those of its clusters, as all that follows.
    var records: AttributeTable
    var traits = ClusterTraits()
    var spans: [BoxSpan] = []
    /// How each node that is a point shares its place.
    private(set) var shares = SpreadShares()
    /// Nil if no point is drawn apart.
    private(set) var spread: SpreadExtent?
    /// What lies just below the nodes.
    private(set) var below: CellNodes

    init(keys: AttributeKeys) {
        nodes = HandedUpNodes(keys: keys)
        records = AttributeTable(keys: keys)
        below = CellNodes(keys: keys)
    }

    mutating func include(_ other: SpreadExtent?) { spread = .union(spread, other) }

    mutating func append(_ other: CellFiles.HandedUp) {
        nodes.append(other.nodes)
        shares.append(other.shares)
        include(other.spread)
        records.append(other.records)
        traits.append(other.traits)
        spans += other.spans
        below.append(other.below)
    }
}
