import ArchiveContract
import Clustering
import Geometry
import Points
import Recipes

/// Some nodes of one layer, with all that is needed to draw them.
struct CellNodes: Sendable {
    var nodes = LooseNodes()
    /// The id of each cluster, once it is known.
    var ids = Column<Int64>()
    /// A row for each leaf, and a record for each cluster.
    var points: PointTable
    var records: AttributeTable
    var traits = ClusterTraits()
    /// Which leaves share their places.
    var shares = CoincidentLeaves()

    mutating func append(_ other: CellNodes) {
        nodes.append(other.nodes)
        ids.append(contentsOf: other.ids.span)
        points.append(other.points)
        records.append(other.records)
        traits.append(other.traits)
        shares.append(other.shares)
    }

    /// Appends a cluster of another collection.
    /// - Parameter first: the number of its first leaf here, if it differs.
    mutating func append(cluster: Int, of other: CellNodes, first: Int? = nil) {
        nodes.append(cluster, of: other.nodes, first: first)
        if !other.ids.isEmpty { ids.append(other.ids[cluster]) }
        records.append(record: cluster, of: other.records)
        traits.append(cluster, of: other.traits)
    }

    /// Some of these leaves and clusters.
    func selecting(
        leaves: [UInt32] = [], clusters: some Sequence<some BinaryInteger>
    ) -> CellNodes {
        var selection = CellNodes(keys: records.keys)
        selection.append(self, leaves: leaves, clusters: clusters)
        return selection
    }

    /// Some of these nodes, with only their positions and counts.
    func bare(leaves: [UInt32], clusters: [UInt32]) -> CellNodes {
        var bare = CellNodes(keys: records.keys)
        var batch = PointBatch()
        for leaf in leaves {
            bare.nodes.leafParentZooms.append(nodes.leafParentZooms[Int(leaf)])
            batch.append(points.position(of: Int(leaf)))
        }
        bare.points.append(batch)
        if !shares.isEmpty { bare.shares.append(single: leaves.count) }
        for cluster in clusters {
            bare.nodes.append(Int(cluster), of: nodes, first: nil)
            bare.records.append([], ends: [0].span)
            bare.traits.append(Int(cluster), of: traits)
        }
        return bare
    }
}

extension CellNodes {
    init(keys: AttributeKeys) {
        self.init(points: PointTable(keys: keys), records: AttributeTable(keys: keys))
    }
}

extension CellJob {
    /// All layers, ready to be drawn. Leaves at one place are in the order of the archive.
    func drawn(_ layers: [CellNodes]) -> DrawnLayers {
        DrawnLayers(layers.enumerated().map { drawn($1, of: $0) })
    }

    /// Some nodes of a layer, ready to be drawn.
    func drawn(_ nodes: CellNodes, of index: Int) -> DrawnLayer {
        let layer = recipe.layers[index]
        return DrawnLayer(
            layer, table: nodes.points,
            tree: ClusterTree(drawing: nodes.nodes, attributes: nodes.records), ids: nodes.ids,
            extras: zooms.extras(of: layer), firstLeaf: firstLeaves[index], traits: nodes.traits,
            shares: nodes.shares)
    }
}

extension LooseNodes {
    /// The key of a cluster, with leaves numbered as they are here.
    func key(of cluster: Int) -> ClusterKey {
        ClusterKey(firstLeaf: Int64(firsts[cluster]), zoom: UInt8(zooms[cluster]))
    }

    /// The clusters that begin with some leaves.
    func clusters(beginningWith leaves: Range<Int>) -> Range<Int> {
        let begin = (0..<firsts.count).partitionPoint { firsts[$0] >= leaves.lowerBound }
        let end = (begin..<firsts.count).partitionPoint { firsts[$0] >= leaves.upperBound }
        return begin..<end
    }

    /// Appends a cluster of another collection.
    fileprivate mutating func append(_ cluster: Int, of other: LooseNodes, first: Int?) {
        firsts.append(first ?? other.firsts[cluster])
        leaves.append(other.leaves[cluster])
        zooms.append(other.zooms[cluster])
        parentZooms.append(other.parentZooms[cluster])
        xs.append(other.xs[cluster])
        ys.append(other.ys[cluster])
        if !other.weights.isEmpty { weights.append(other.weights[cluster]) }
    }
}

extension BlockSink {
    mutating func write(_ nodes: CellNodes) {
        write(nodes.nodes)
        write(nodes.ids)
        write(nodes.points)
        write(nodes.records)
        write(nodes.traits)
        write(nodes.shares)
    }
}

extension BlockSource {
    mutating func cellNodes(_ keys: StoredKeys) throws(Damaged) -> CellNodes {
        var nodes = CellNodes(
            nodes: try nodes(), ids: try column(), points: try points(keys),
            records: try attributes(keys))
        let leaves = nodes.points.count
        guard nodes.nodes.leafParentZooms.count == leaves,
            nodes.records.count == nodes.nodes.firsts.count,
            nodes.ids.isEmpty || nodes.ids.count == nodes.nodes.firsts.count
        else { throw Damaged() }
        nodes.traits = try clusterTraits(nodes.nodes.firsts.count)
        nodes.shares = try shares(leaves)
        return nodes
    }
}

extension JobFileReader {
    /// The nodes in a block that begins at an offset.
    func cellNodes(at offset: Int, _ keys: StoredKeys) throws(JobError) -> CellNodes {
        try decodeBlock(at: offset) { (source) throws(BlockSource.Damaged) in
            try source.cellNodes(keys)
        }
    }
}
