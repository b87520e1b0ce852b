import Clustering
import Geometry
import Points

/// What is above the cut of one layer.
struct TopClusters {
    /// All clusters of the layer, those in cells too.
    let clusterCount: Int
    /// Those that hold together past the cluster zooms.
    let heldCount: Int
    let skipped: [(aggregate: String, count: Int)]
    /// Those above the cut, in their order.
    let nodes: CellNodes

    static func read(_ job: CellJob) throws -> [TopClusters] {
        var (reader, keys) = try job.read(job.folder.top)
        return try job.plan.layers.map { _ in
            var source = try reader.block()
            return try reader.decode { () throws(BlockSource.Damaged) in
                let (count, held) = (try source.int(), try source.int())
                var skipped: [(aggregate: String, count: Int)] = []
                for _ in 0..<max(0, try source.int()) {
                    skipped.append((try source.text(), try source.int()))
                }
                return TopClusters(
                    clusterCount: count, heldCount: held, skipped: skipped,
                    nodes: try source.cellNodes(keys))
            }
        }
    }
}

/// The nodes of one hierarchy that stand above the cut, once all is numbered.
struct TopNodes {
    /// Those that formed above the cut, in the order of their numbers.
    private(set) var clusters: CellNodes
    /// The first leaf of each node that was handed up.
    private(set) var firstLeaves: Column<UInt32>
    let leafCount: Int
    private let nodes: HandedUpNodes
    private let records: AttributeTable
    private let top: TopTree
    private let isWeighted: Bool

    init(
        _ nodes: HandedUpNodes, _ records: AttributeTable, _ top: TopTree, firstLeaf: UInt32,
        isWeighted: Bool
    ) {
        self.isWeighted = isWeighted
        self.nodes = nodes
        self.records = records
        self.top = top
        firstLeaves = Column(top.placements.map { $0.leaf + firstLeaf })
        leafCount =
            nodes.points.count - nodes.clusters.count
            + nodes.clusters.reduce(0) { $0 + Int($1.points) }
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
            clusters.records.append(record: index, of: top.attributes)
        }
    }

    /// All that is drawn at zooms above the cut.
    func drawn(above cutZoom: Int) -> CellNodes {
        var drawn = CellNodes(keys: records.keys)
        var rows: [UInt32] = []
        var next = 0
        for row in 0..<nodes.points.count {
            let isCluster = next < nodes.clusters.count && Int(nodes.clusters[next].row) == row
            defer { if isCluster { next += 1 } }
            guard Int(top.placements[row].parentZoom) < cutZoom - 1 else { continue }
            guard isCluster else {
                drawn.leafNumbers.append(firstLeaves[row])
                drawn.nodes.leafParentZooms.append(top.placements[row].parentZoom)
                rows.append(UInt32(row))
                continue
            }
            let cluster = nodes.clusters[next]
            drawn.nodes.append(
                first: firstLeaves[row], leaves: cluster.points, zoom: Int8(cluster.zoom),
                parentZoom: top.placements[row].parentZoom, x: cluster.x, y: cluster.y,
                weight: isWeighted ? cluster.weight : nil)
            drawn.records.append(record: next, of: records)
        }
        drawn.points.append(PointBatch(rows.span, of: nodes.points))
        drawn.append(clusters)
        return drawn
    }
}

extension LooseNodes {
    /// Appends a cluster.
    fileprivate mutating func append(
        first: UInt32, leaves count: UInt32, zoom: Int8, parentZoom: Int8, x: Double, y: Double,
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
