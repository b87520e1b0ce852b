import Clustering

/// What tests ask a tree, answered from its columns.
extension ClusterTree {
    /// The nodes that a cluster comes apart into, in leaf order.
    func children(of cluster: Int) -> [TreeNode] {
        let clusters = (cluster + 1..<max(cluster + 1, clusterCount)).filter {
            parents[$0] == UInt32(cluster)
        }
        let own = leafRange(of: cluster).filter { leafParents[$0] == UInt32(cluster) }
        return (clusters.map(TreeNode.cluster) + own.map(TreeNode.leaf)).sorted {
            firstLeaf(of: $0) < firstLeaf(of: $1)
        }
    }

    private func firstLeaf(of node: TreeNode) -> Int {
        switch node {
        case .leaf(let leaf): leaf
        case .cluster(let cluster): Int(firsts[cluster])
        }
    }

    /// The cluster that stands for a leaf at a zoom; nil where the leaf is drawn itself.
    func cluster(containing leaf: Int, zoom: Int) -> Int? {
        let zoom = max(zoom, minZoom)
        guard Int(leafParentZooms[leaf]) >= zoom else { return nil }
        var cluster = Int(leafParents[leaf])
        while Int(parentZooms[cluster]) >= zoom { cluster = Int(parents[cluster]) }
        return cluster
    }

    /// The nodes drawn at a zoom, in leaf order.
    func nodes(at zoom: Int) -> [TreeNode] {
        var nodes: [TreeNode] = []
        var leaf = 0
        while leaf < leafCount {
            if let cluster = cluster(containing: leaf, zoom: zoom) {
                nodes.append(.cluster(cluster))
                leaf = leafRange(of: cluster).upperBound
            } else {
                nodes.append(.leaf(leaf))
                leaf += 1
            }
        }
        return nodes
    }
}
