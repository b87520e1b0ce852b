import Clustering
import Geometry
import Points
import Recipes

/// The nodes of one hierarchy above the cut, once all are numbered.
struct TopNodes {
    /// The clusters formed above the cut, in the order of their numbers.
    private(set) var clusters: CellNodes
    /// The first leaf of each node that was handed up.
    private(set) var firstLeaves: Column<Int>
    let leafCount: Int
    private let nodes: Frontier
    private let records: AttributeTable
    /// How nodes that are points share their places.
    private let shares: CoincidentLeaves
    /// The traits of the clusters that were handed up.
    private let traits: ClusterTraits
    private let top: TopTree
    private let isWeighted: Bool

    /// - Parameters:
    ///   - ids: the ids of the top's clusters, where they are known.
    ///   - boxes: the boxes of these clusters, where they are asked for.
    init(
        _ unit: FrontierUnit, _ top: TopTree, ids: [Int64] = [], boxes: [WorldBox] = [],
        _ wanted: ClusterTraits.Wanted, firstLeaf: Int = 0, isWeighted: Bool
    ) {
        self.isWeighted = isWeighted
        nodes = unit.nodes
        records = unit.records
        shares = unit.shares
        traits = unit.traits
        self.top = top
        firstLeaves = Column(top.placements.map { $0.leaf + firstLeaf })
        leafCount =
            nodes.points.count - nodes.clusters.count
            + nodes.clusters.reduce(0) { $0 + $1.points }
        clusters = CellNodes(keys: records.keys)
        let order = top.clusters.indices.sorted {
            top.clusters[$0].place.cluster < top.clusters[$1].place.cluster
        }
        for index in order {
            let cluster = top.clusters[index]
            clusters.nodes.append(
                first: cluster.place.leaf + firstLeaf, leaves: cluster.points,
                zoom: cluster.zoom, parentZoom: cluster.place.parentZoom, x: cluster.x,
                y: cluster.y, weight: isWeighted ? cluster.weight : nil)
            if !ids.isEmpty { clusters.ids.append(ids[index]) }
            clusters.records.append(record: index, of: top.attributes)
            if wanted.boxes { clusters.traits.append(boxes[index]) }
            // Points at one site are one node from the start, so a cluster above the cut has several sites.
            if wanted.sites { clusters.traits.sites.append(0) }
        }
    }

    /// How far those nodes that are points are drawn apart.
    func spread(by rule: SpreadPoints.Rule) -> SpreadExtent? {
        SpreadExtent(
            of: shares, rule, parentZoom: { Int(top.placements[$0].parentZoom) },
            place: { nodes.points.position(of: $0) })
    }

    /// The nodes handed up that are drawn at zooms above the cut.
    /// - Parameters:
    ///   - withHeat: whether to include nodes that are drawn only at the cut.
    ///   - ground: where nodes are wanted; nil means everywhere.
    func drawn(
        above cutZoom: Int, withHeat: Bool = false, on ground: KnownGround? = nil
    ) -> CellNodes {
        var drawn = CellNodes(keys: records.keys)
        var rows: [UInt32] = []
        var next = 0
        for row in 0..<nodes.points.count {
            let isCluster = next < nodes.clusters.count && Int(nodes.clusters[next].row) == row
            defer { if isCluster { next += 1 } }
            guard withHeat || Int(top.placements[row].parentZoom) < cutZoom - 1 else { continue }
            let place =
                isCluster
                ? WorldPoint(x: nodes.clusters[next].x, y: nodes.clusters[next].y)
                : nodes.points.position(of: row)
            guard ground?.contains(place.x, place.y) ?? true else { continue }
            guard isCluster else {
                drawn.nodes.leafParentZooms.append(top.placements[row].parentZoom)
                drawn.shares.append(row, of: shares)
                rows.append(UInt32(row))
                continue
            }
            let cluster = nodes.clusters[next]
            drawn.nodes.append(
                first: firstLeaves[row], leaves: cluster.points, zoom: Int8(cluster.zoom),
                parentZoom: top.placements[row].parentZoom, x: cluster.x, y: cluster.y,
                weight: isWeighted ? cluster.weight : nil)
            drawn.records.append(record: next, of: records)
            drawn.traits.append(next, of: traits)
        }
        drawn.points.append(PointBatch(rows.span, of: nodes.points))
        return drawn
    }
}

extension LooseNodes {
    /// Appends a cluster.
    fileprivate mutating func append(
        first: Int, leaves count: Int, zoom: Int8, parentZoom: Int8, x: Double, y: Double,
        weight: Double?
    ) {
        firsts.append(first)
        leaves.append(count)
        zooms.append(zoom)
        parentZooms.append(parentZoom)
        xs.append(x)
        ys.append(y)
        if let weight { weights.append(weight) }
    }
}
