import ArchiveContract
import Clustering
import Geometry

/// Rows of the cluster index, in which leaves are numbered as in the archive.
extension DrawnLayer {
    /// Appends the clusters that start at one of these leaves.
    func appendRecords(ofClustersFrom leaves: Range<Int>, to records: inout [ClusterRecord]) {
        let own = leaves.lowerBound - firstLeaf..<leaves.upperBound - firstLeaf
        for cluster in tree.clusters(startingIn: own) { records.append(record(of: cluster)) }
    }

    /// The clusters that begin before a leaf and hold it, the outermost first.
    func records(around leaf: Int64) -> [ClusterRecord] {
        let leaf = Int(leaf) - firstLeaf
        var records: [ClusterRecord] = []
        var next = tree.parent(of: .leaf(leaf))
        while let cluster = next {
            if tree.firsts[cluster] < leaf { records.append(record(of: cluster)) }
            next = tree.parent(of: .cluster(cluster))
        }
        return records.reversed()
    }

    /// Children of the clusters that begin in a block and end behind it: those that begin at its
    /// end or later. Of single leaves only so many as are copied.
    func children(
        ofClustersIn block: Range<Int64>, behind end: Int64
    ) -> (clusters: [ClusterRecord], leaves: [Int64]) {
        var clusters: [ClusterRecord] = []
        var leaves: [Int64] = []
        // Such clusters hold the block's last leaf; the innermost comes first.
        let last = Int(end) - 1 - firstLeaf
        guard last + 1 < tree.leafCount else { return ([], []) }
        var next = tree.parent(of: .leaf(last))
        while let parent = next, Int64(firstLeaf) + Int64(tree.firsts[parent]) >= block.lowerBound {
            append(childrenOf: parent, from: last + 1, &clusters, &leaves)
            next = tree.parent(of: .cluster(parent))
        }
        return (clusters.sorted { $0.key < $1.key }, leaves.sorted())
    }

    private func append(
        childrenOf parent: Int, from start: Int, _ clusters: inout [ClusterRecord],
        _ leaves: inout [Int64]
    ) {
        var leaf = start
        var copies = 0
        let end = tree.leafRange(of: parent).upperBound
        while leaf < end {
            guard let child = child(of: parent, from: leaf) else {
                // All between here and there may be single leaves, of which few are copied.
                guard copies < ClusterBlock.mostCopies else {
                    leaf = nextCluster(behind: leaf)
                    continue
                }
                leaves.append(Int64(firstLeaf + leaf))
                copies += 1
                leaf += 1
                continue
            }
            let range = tree.leafRange(of: child)
            // One that holds the block's last leaf too begins earlier and has its row already.
            if range.lowerBound >= start { clusters.append(record(of: child)) }
            leaf = range.upperBound
        }
    }

    /// The cluster under `parent` that holds a leaf; nil where the leaf is a child by itself.
    private func child(of parent: Int, from leaf: Int) -> Int? {
        var node = TreeNode.leaf(leaf)
        while let above = tree.parent(of: node), above != parent { node = .cluster(above) }
        if case .cluster(let child) = node { return child }
        return nil
    }

    /// The first leaf behind this one at which a cluster begins.
    private func nextCluster(behind leaf: Int) -> Int {
        let next = tree.clusters(startingIn: leaf + 1..<tree.leafCount).lowerBound
        return next < tree.clusterCount ? Int(tree.firsts[next]) : tree.leafCount
    }

    private func record(of cluster: Int) -> ClusterRecord {
        let parent = tree.parent(of: .cluster(cluster)).map { key(of: $0) }
        let position = WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster])
        return ClusterRecord(
            key: key(of: cluster), leafCount: Int64(tree.leaves[cluster]),
            position: GridPoint(position),
            parent: parent)
    }

    private func key(of cluster: Int) -> ClusterKey {
        ClusterKey(
            firstLeaf: Int64(firstLeaf + Int(tree.firsts[cluster])),
            zoom: UInt8(tree.zooms[cluster]))
    }
}
