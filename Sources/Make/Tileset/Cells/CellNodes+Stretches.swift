import Clustering
import Points

extension CellNodes {
    /// Appends some leaves and clusters of another collection.
    mutating func append(
        _ other: CellNodes, leaves: some Sequence<some BinaryInteger>,
        clusters: some Sequence<some BinaryInteger>
    ) {
        let rows = leaves.map { UInt32($0) }
        for row in rows {
            nodes.leafParentZooms.append(other.nodes.leafParentZooms[Int(row)])
            shares.append(Int(row), of: other.shares)
        }
        points.append(rows.span, of: other.points)
        for cluster in clusters { append(cluster: Int(cluster), of: other) }
    }

    /// Merges clusters of another collection into these; both are in their order.
    mutating func mergeClusters(_ others: Range<Int>, of above: CellNodes) {
        let old = self
        nodes = LooseNodes()
        nodes.leafParentZooms = old.nodes.leafParentZooms
        ids = Column()
        records = AttributeTable(keys: old.records.keys)
        traits = ClusterTraits()
        var next = others.lowerBound
        for cluster in 0..<old.nodes.firsts.count {
            while next < others.upperBound, above.nodes.key(of: next) < old.nodes.key(of: cluster) {
                append(cluster: next, of: above)
                next += 1
            }
            append(cluster: cluster, of: old)
        }
        while next < others.upperBound {
            append(cluster: next, of: above)
            next += 1
        }
    }
}
