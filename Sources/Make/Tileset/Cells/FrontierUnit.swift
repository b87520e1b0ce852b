import Clustering
import Points

/// What all cells handed up for one hierarchy.
struct FrontierUnit {
    var nodes: Frontier
    /// The records of its clusters; the columns below are for clusters too.
    var records: AttributeTable
    var traits = ClusterTraits()
    var spans: [BoxSpan] = []
    /// How each node that is a point shares its place.
    private(set) var shares = CoincidentLeaves()
    /// Nil if no point is drawn apart.
    private(set) var spread: SpreadExtent?
    /// The nodes just below these.
    private(set) var below: CellNodes

    init(keys: AttributeKeys) {
        nodes = Frontier(keys: keys)
        records = AttributeTable(keys: keys)
        below = CellNodes(keys: keys)
    }

    mutating func include(_ other: SpreadExtent?) { spread = .union(spread, other) }

    mutating func append(_ other: CellFiles.WrittenFrontier) {
        nodes.append(other.nodes)
        shares.append(other.shares)
        include(other.spread)
        records.append(other.records)
        traits.append(other.traits)
        spans += other.spans
        below.append(other.below)
    }
}
