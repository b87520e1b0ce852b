import Geometry
import Points

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

    /// Some of a cluster's leaves, for paging.
    public func leaves(of cluster: Int, offset: Int = 0, limit: Int = .max) -> Range<Int> {
        let all = leafRange(of: cluster)
        let start = all.lowerBound + min(max(offset, 0), all.count)
        return start..<start + min(max(limit, 0), all.upperBound - start)
    }

    /// The cluster of which a node is a child.
    public func parent(of node: TreeNode) -> Int? {
        let parent =
            switch node {
            case .leaf(let leaf): leafParents[leaf]
            case .cluster(let cluster): parents[cluster]
            }
        return parent == Self.noParent ? nil : Int(parent)
    }

    /// The nodes that a cluster comes apart into, in leaf order.
    /// - Complexity: O(children · log n).
    public func children(of cluster: Int) -> [TreeNode] {
        var children: [TreeNode] = []
        let all = leafRange(of: cluster)
        var leaf = all.lowerBound
        var next = cluster + 1
        while leaf < all.upperBound {
            if next < clusterCount, Int(firsts[next]) == leaf {
                children.append(.cluster(next))
                leaf += Int(leaves[next])
                next = firstCluster(from: leaf)
            } else {
                children.append(.leaf(leaf))
                leaf += 1
            }
        }
        return children
    }

    /// The first zoom at which a cluster has come apart; past `deepestZoom` for one that never does.
    public func expansionZoom(of cluster: Int) -> Int { Int(zooms[cluster]) + 1 }

    /// The cluster that stands for a leaf at a zoom; nil where the leaf is drawn itself.
    /// - Complexity: O(depth), which is at most the number of zooms and passes.
    public func cluster(containing leaf: Int, zoom: Int) -> Int? {
        let zoom = max(zoom, minZoom)
        guard Int(leafParentZooms[leaf]) >= zoom else { return nil }
        var cluster = Int(leafParents[leaf])
        while Int(parentZooms[cluster]) >= zoom { cluster = Int(parents[cluster]) }
        return cluster
    }

    /// The node that stands for a leaf at a zoom.
    public func node(containing leaf: Int, zoom: Int) -> TreeNode {
        cluster(containing: leaf, zoom: zoom).map(TreeNode.cluster) ?? .leaf(leaf)
    }

    /// The nodes drawn at a zoom, in leaf order.
    /// - Complexity: O(nodes · log n).
    public func nodes(at zoom: Int) -> [TreeNode] {
        var nodes: [TreeNode] = []
        var leaf = 0
        while leaf < leafCount {
            let node = node(containing: leaf, zoom: zoom)
            nodes.append(node)
            if case .cluster(let cluster) = node {
                leaf = leafRange(of: cluster).upperBound
            } else {
                leaf += 1
            }
        }
        return nodes
    }

    /// The convex hull of a cluster's points; it is laid out across the antimeridian where that
    /// makes it narrower.
    /// - Complexity: O(m log m) for m leaves.
    public func hull(of cluster: Int, in points: PointTable) -> ConvexHull {
        let box = box(of: cluster, in: points)
        return ConvexHull(
            of: positions(of: cluster, in: points).map { position in
                WorldPoint(x: position.x < box.minX ? position.x + 1 : position.x, y: position.y)
            })
    }

    func positions(of cluster: Int, in points: PointTable) -> [WorldPoint] {
        leafRange(of: cluster).map { points.position(of: Int(leafRows[$0])).wrapped }
    }

    /// The clusters, neighbours in id order, that start at one of these leaves.
    /// - Complexity: O(log n).
    public func clusters(startingIn leaves: Range<Int>) -> Range<Int> {
        firstCluster(from: leaves.lowerBound)..<firstCluster(from: leaves.upperBound)
    }

    /// The first cluster, in id order, that starts at that leaf or behind it.
    func firstCluster(from leaf: Int) -> Int {
        var low = 0
        var high = clusterCount
        while low < high {
            let middle = (low + high) / 2
            if Int(firsts[middle]) < leaf { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
