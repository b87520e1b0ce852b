import ArchiveContract

extension ClusterIndex {
    /// The cluster that this one goes into; nil for a root.
    public mutating func parent(of id: Int64) throws(ArchiveError) -> ClusterRecord? {
        try parent(of: cluster(id))
    }

    private mutating func parent(
        of child: ClusterRecord
    ) throws(ArchiveError) -> ClusterRecord? {
        guard let key = child.parent else { return nil }
        guard let parent = try cluster(key), parent.leaves.upperBound >= child.leaves.upperBound
        else {
            throw .damagedClusters(
                path: path, reason: "cluster \(ids.id(of: child.key)) has no parent")
        }
        return parent
    }

    /// What the cluster comes apart into at its expansion zoom, in leaf order.
    public mutating func children(of id: Int64) throws(ArchiveError) -> [ClusterNode] {
        let parent = try cluster(id)
        return try nodes(in: parent.leaves, formedAt: parent.expansionZoom)
    }

    /// The nodes drawn at `zoom` that hold `leaves`, in leaf order.
    ///
    /// The leaves are those of whole hierarchies, or of a node drawn at `zoom` or above.
    public mutating func level(
        _ zoom: Int, of leaves: Range<Int64>
    ) throws(ArchiveError) -> [ClusterNode] {
        try nodes(in: leaves, formedAt: zoom)
    }

    /// The nodes that nothing holds.
    public mutating func roots(of leaves: Range<Int64>) throws(ArchiveError) -> [ClusterNode] {
        try nodes(in: leaves, formedAt: 0)
    }

    /// The outermost nodes in `leaves` that formed at `zoom` or below it.
    ///
    /// Clusters that begin at the same leaf lie inside one another, the shallowest first in the
    /// table. Where no row begins there is a point on its own.
    private mutating func nodes(
        in leaves: Range<Int64>, formedAt zoom: Int
    ) throws(ArchiveError) -> [ClusterNode] {
        guard leaves.lowerBound >= 0, leaves.upperBound <= leafBound else {
            throw .unknownLeaf(path: path, leaf: leaves.upperBound - 1)
        }
        var nodes: [ClusterNode] = []
        var leaf = leaves.lowerBound
        while leaf < leaves.upperBound {
            let next = try cluster(.from(ClusterKey.bound(leaf: leaf, zoom: zoom)))
            if let next, next.key.firstLeaf == leaf {
                guard next.leaves.upperBound <= leaves.upperBound else {
                    throw .damagedClusters(
                        path: path, reason: "cluster \(ids.id(of: next.key)) overlaps another")
                }
                nodes.append(.cluster(next))
                leaf = next.leaves.upperBound
            } else {
                let end = min(leaves.upperBound, next?.key.firstLeaf ?? .max)
                for single in leaf..<end { nodes.append(.leaf(single)) }
                leaf = end
            }
        }
        return nodes
    }

    /// The node drawn at `zoom` that holds the leaf: a cluster, or the leaf on its own.
    ///
    /// Whichever clusters hold the leaf, the last row that begins at or before it lies inside them
    /// all; so they are that row's ancestors, and the row itself perhaps.
    public mutating func node(
        holding leaf: Int64, at zoom: Int
    ) throws(ArchiveError) -> ClusterNode {
        guard leaf >= 0, leaf < leafBound else { throw .unknownLeaf(path: path, leaf: leaf) }
        guard var record = try cluster(.upTo(ClusterKey(firstLeaf: leaf, zoom: 31))) else {
            return .leaf(leaf)
        }
        while let key = record.parent,
            !record.leaves.contains(leaf) || Int(key.zoom) >= zoom,
            let parent = try parent(of: record)
        {
            record = parent
        }
        let isDrawn = record.leaves.contains(leaf) && Int(record.key.zoom) >= zoom
        return isDrawn ? .cluster(record) : .leaf(leaf)
    }
}
