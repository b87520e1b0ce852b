import Basics

/// A node of a cluster tree, named by its index in the columns of leaves or of clusters.
public enum TreeNode: Hashable, Sendable {
    case leaf(Int)
    case cluster(Int)
}

extension ClusterTree {
    /// The leaves of a cluster.
    public func leafRange(of cluster: Int) -> Range<Int> {
        let first = Int(firsts[cluster])
        return first..<first + Int(leaves[cluster])
    }

    /// The cluster that a node is a child of.
    public func parent(of node: TreeNode) -> Int? {
        let parent =
            switch node {
            case .leaf(let leaf): leafParents[leaf]
            case .cluster(let cluster): parents[cluster]
            }
        return parent == Self.noParent ? nil : Int(parent)
    }

    /// The clusters, neighbours in their order, that start at one of these leaves.
    /// - Complexity: O(log n).
    public func clusters(startingIn leaves: Range<Int>) -> Range<Int> {
        firstCluster(from: leaves.lowerBound)..<firstCluster(from: leaves.upperBound)
    }

    /// The first cluster that starts at that leaf or after it.
    private func firstCluster(from leaf: Int) -> Int {
        (0..<clusterCount).partitionPoint { Int(firsts[$0]) >= leaf }
    }
}
