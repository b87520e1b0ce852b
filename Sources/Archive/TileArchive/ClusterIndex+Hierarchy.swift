import ArchiveContract

extension ClusterIndex {
    /// The cluster that this one becomes part of at lower zooms; nil for a root.
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
                path: path, reason: "cluster \(description.id(of: child)) has no parent")
        }
        return parent
    }

    /// Some of the nodes that the cluster comes apart into at its expansion zoom, in leaf order: at most `limit`
    /// nodes from number `offset` on.
    /// - Complexity: O(r · log n) for the r clusters up to the end of the page, at most `mostRowsPassed`, and at
    ///   most `mostRowsCounted` after it; single leaves cost nothing until they are in the page.
    public mutating func children(
        of id: Int64, offset: Int64 = 0, limit: Int = ClusterIndex.mostNodes
    ) throws(ArchiveError) -> NodePage {
        let parent = try cluster(id)
        var page = NodeCollector(offset: offset, limit: min(limit, Self.mostNodes))
        var leaf = parent.leaves.lowerBound
        let end = parent.leaves.upperBound
        var (rows, rowsBehind) = (0, 0)
        while leaf < end {
            // Clusters that begin at the same leaf are nested, the shallowest first. Where no row begins there is
            // a single point.
            let bound = ClusterKey.bound(leaf: leaf, zoom: parent.expansionZoom)
            let next = try cluster(.first(bound..<ClusterKey.bound(leaf: end, zoom: 0)))
            if let next, next.key.firstLeaf == leaf {
                guard next.leaves.upperBound <= end else {
                    throw .damagedClusters(
                        path: path, reason: "cluster \(description.id(of: next)) overlaps another")
                }
                page.add(next)
                leaf = next.leaves.upperBound
            } else {
                let singles = leaf..<min(end, next?.key.firstLeaf ?? .max)
                page.add(singles)
                leaf = singles.upperBound
            }
            rows += 1
            rowsBehind += page.isFull ? 1 : 0
            if rowsBehind > Self.mostRowsCounted { return page.finish(isWhole: false) }
            guard page.isFull || rows <= Self.mostRowsPassed else {
                throw .tooManyChildren(path: path, id: id, most: Self.mostRowsPassed)
            }
        }
        return page.finish(isWhole: true)
    }

    /// The most nodes of an answer.
    public static let mostNodes = 100_000
    /// The most rows that a page may skip: a second's work.
    static let mostRowsPassed = 2 * mostNodes
    /// The most rows that are counted after a page: some hundredths of a second's work.
    static let mostRowsCounted = 10_000

    /// The node drawn at `zoom` that holds the leaf: a cluster, or the leaf by itself.
    ///
    /// The last row that begins at or before the leaf lies inside all clusters that hold the leaf. So they are
    /// that row's ancestors, and possibly the row itself.
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
