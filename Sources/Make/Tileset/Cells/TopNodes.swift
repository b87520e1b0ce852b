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
    /// What was handed up.
    private let unit: FrontierUnit
    private let top: TopTree
    private let isWeighted: Bool

    /// - Parameters:
    ///   - ids: the ids of the top's clusters, where they are known.
    ///   - boxes: the boxes of these clusters, where they are asked for.
    init(
        _ unit: FrontierUnit, _ top: TopTree, ids: [Int64] = [], boxes: [WorldBox] = [],
        for layer: Recipe.Layer, firstLeaf: Int = 0, isWeighted: Bool
    ) {
        self.isWeighted = isWeighted
        self.unit = unit
        self.top = top
        firstLeaves = Column(top.placements.map { $0.leaf + firstLeaf })
        clusters = CellNodes(keys: unit.records.keys)
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
            if layer.carries(.bbox) { clusters.traits.append(boxes[index]) }
            // Points at one site are one node from the start, so a cluster above the cut has several sites.
            if layer.carries(.uniqueLocation) { clusters.traits.sites.append(0) }
        }
    }

    /// How far those nodes that are points are drawn apart.
    func spread(by rule: SpreadPoints.Rule) -> SpreadExtent? {
        SpreadExtent(
            of: unit.shares, rule, parentZoom: { Int(top.placements[$0].parentZoom) },
            place: { unit.nodes.points.position(of: $0) })
    }

    /// The nodes handed up that are drawn at zooms above the cut.
    /// - Parameters:
    ///   - withHeat: whether to include nodes that are drawn only at the cut.
    ///   - ground: where nodes are wanted; nil means everywhere.
    func drawn(
        above cutZoom: Int, withHeat: Bool = false, on ground: KnownGround? = nil
    ) -> CellNodes {
        let nodes = unit.nodes
        var drawn = CellNodes(keys: unit.records.keys)
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
                drawn.shares.append(row, of: unit.shares)
                rows.append(UInt32(row))
                continue
            }
            let cluster = nodes.clusters[next]
            drawn.nodes.append(
                first: firstLeaves[row], leaves: cluster.points, zoom: Int8(cluster.zoom),
                parentZoom: top.placements[row].parentZoom, x: cluster.x, y: cluster.y,
                weight: isWeighted ? cluster.weight : nil)
            drawn.records.append(record: next, of: unit.records)
            drawn.traits.append(next, of: unit.traits)
        }
        drawn.points.append(rows.span, of: nodes.points)
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
