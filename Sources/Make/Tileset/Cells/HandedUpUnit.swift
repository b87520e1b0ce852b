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
    /// What lies just below the nodes of each cell, and where the leaves of these begin.
    private var belowCells: [(nodes: CellNodes, firstLeaves: Column<UInt32>)] = []

    init(keys: AttributeKeys) {
        nodes = HandedUpNodes(keys: keys)
        records = AttributeTable(keys: keys)
    }

    mutating func include(_ other: SpreadExtent?) { spread = .union(spread, other) }

    mutating func append(_ other: CellFiles.HandedUp) {
        nodes.append(other.nodes)
        shares.append(other.shares)
        include(other.spread)
        records.append(other.records)
        traits.append(other.traits)
        spans += other.spans
        belowCells.append((other.below, other.firstLeaves))
    }

    /// What lies just below all nodes, by the numbers that their leaves got.
    func below(_ firstLeaves: Column<UInt32>) -> CellNodes {
        var all = CellNodes(keys: records.keys)
        var first = 0
        for part in belowCells {
            let rows = first..<first + part.firstLeaves.count
            first = rows.upperBound
            guard part.nodes.points.count + part.nodes.nodes.firsts.count > 0 else { continue }
            let numbers = Column(rows.map { firstLeaves[$0] })
            all.append(part.nodes.renumbered(from: part.firstLeaves, to: numbers))
        }
        return all
    }
}
