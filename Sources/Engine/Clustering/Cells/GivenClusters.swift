import Geometry

/// The points of an input that stand for whole clusters.
struct GivenClusters: Sendable {
    let clusters: [HandedUpCluster]
    /// The place of each point in the order of visits, where that does not follow from the point.
    let visits: VisitKeys
    /// The points below all nodes, where `position: nearest` looks at them again.
    let members: (any HandedUpMembers)?
    /// For each point the index of its cluster; −1 for one that stands for itself.
    private var indexes: [Int32]
    /// The number of the first member of each point.
    private var firstMembers: [Int] = []

    init(_ nodes: HandedUpNodes, members: (any HandedUpMembers)? = nil) {
        clusters = nodes.clusters
        visits = nodes.visits
        self.members = members
        indexes = Array(repeating: -1, count: nodes.points.count)
        for (index, cluster) in clusters.enumerated() { indexes[Int(cluster.row)] = Int32(index) }
        guard members != nil else { return }
        var next = 0
        for index in indexes {
            firstMembers.append(next)
            next += index < 0 ? 1 : Int(clusters[Int(index)].points)
        }
    }

    func cluster(of point: UInt32) -> HandedUpCluster? {
        let index = indexes[Int(point)]
        return index < 0 ? nil : clusters[Int(index)]
    }

    /// The members of a point, or of the cluster for which it stands.
    func stretch(of point: UInt32, isPoint: Bool) -> MemberScan.Stretch {
        let first = firstMembers[Int(point)]
        let count = isPoint ? 1 : Int(cluster(of: point)?.points ?? 1)
        return MemberScan.Stretch(members: first..<first + count, point: point, isPoint: isPoint)
    }
}

extension ClusterInput {
    /// Where a point lies, or the cluster is drawn for which it stands.
    func place(of point: UInt32) -> WorldPoint {
        if let cluster = given?.cluster(of: point) { return WorldPoint(x: cluster.x, y: cluster.y) }
        return WorldPoint(x: x[point], y: y[point])
    }
}
