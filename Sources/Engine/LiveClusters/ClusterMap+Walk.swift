import Clustering
import Geometry

extension ClusterMap {
    enum Step { case passOver, lookInside }

    /// Visits nodes from the outermost in, as their intervals of leaves follow one another.
    /// - Parameters:
    ///   - cluster: the first cluster that may begin there.
    ///   - visit: decides whether to go on after the node, or inside it.
    func walk(from first: Int, to end: Int, cluster: Int, visit: (TreeNode) -> Step) {
        var (leaf, cluster) = (first, cluster)
        while leaf < end {
            guard cluster < tree.clusterCount, Int(tree.firsts[cluster]) == leaf else {
                _ = visit(.leaf(leaf))
                leaf += 1
                continue
            }
            switch visit(.cluster(cluster)) {
            case .lookInside: cluster += 1
            case .passOver:
                leaf += Int(tree.leaves[cluster])
                cluster = tree.clusters(startingIn: leaf..<leaf).lowerBound
            }
        }
    }

    func marker(_ node: TreeNode) -> Marker {
        switch node {
        case .leaf(let leaf):
            let point = points.position(of: Int(tree.leafRows[leaf]))
            // A point that was given beyond the world's edges is drawn where it lies on the world.
            let home = (0...1).contains(point.x) ? point : point.wrapped
            return Marker(node: node, position: home.lonLat, count: 1)
        case .cluster(let cluster):
            return Marker(
                node: node,
                position: WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster]).lonLat,
                count: Int(tree.leaves[cluster]))
        }
    }
}

/// A box in the world's square, once or, across the antimeridian, twice.
struct BoxSearch {
    private let parts: [WorldBox]

    init(_ box: LonLatBox) {
        let northWest = WorldPoint(LonLat(longitude: box.west, latitude: box.north))
        let southEast = WorldPoint(LonLat(longitude: box.east, latitude: box.south))
        let spans =
            box.crossesAntimeridian
            ? [(northWest.x, 1.0), (0.0, southEast.x)] : [(northWest.x, southEast.x)]
        parts = spans.map { WorldBox(minX: $0.0, minY: northWest.y, maxX: $0.1, maxY: southEast.y) }
    }

    /// Whether a box, which may reach past the world's east edge, touches it.
    func touches(_ box: WorldBox) -> Bool {
        parts.contains { part in
            box.minY <= part.maxY && box.maxY >= part.minY
                && [-1.0, 0, 1].contains {
                    box.minX + $0 <= part.maxX && box.maxX + $0 >= part.minX
                }
        }
    }
}
