import Geometry

/// The points of an input that stand for whole clusters.
struct GivenClusters: Sendable {
    let clusters: [FrontierCluster]
    /// The place of each point in the order of visits, if that does not follow from the point.
    let visits: VisitKeys
    /// For each point the index of its cluster; −1 for one that stands for itself.
    private var indexes: [Int32]

    init(_ nodes: Frontier) {
        clusters = nodes.clusters
        visits = nodes.visits
        indexes = Array(repeating: -1, count: nodes.points.count)
        for (index, cluster) in clusters.enumerated() { indexes[Int(cluster.row)] = Int32(index) }
    }

    func cluster(of point: UInt32) -> FrontierCluster? {
        let index = indexes[Int(point)]
        return index < 0 ? nil : clusters[Int(index)]
    }
}

extension ClusterInput {
    /// The position of a point, or the one at which the cluster that it stands for is drawn.
    func place(of point: UInt32) -> WorldPoint {
        if let cluster = given?.cluster(of: point) { return WorldPoint(x: cluster.x, y: cluster.y) }
        return WorldPoint(x: x[point], y: y[point])
    }
}
