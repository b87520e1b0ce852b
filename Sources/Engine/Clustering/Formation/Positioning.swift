import Geometry
import Points

/// Where a new cluster is drawn, and which point stands for it.
struct Positioning: Sendable {
    struct Drawn {
        var position: WorldPoint
        /// Nil where it is the point that the cluster grew from.
        var representative: UInt32?
    }

    let position: ClusterOptions.Position
    let wraps: Bool
    let input: ClusterInput
    /// The clusters that formed before; their columns are shared, not copied.
    let hierarchy: Hierarchy
    let choice: RepresentativeChoice?
    let zoom: Int
    let movesNodes: Bool
    /// The means of the clusters, if they were summed up before; nil where weights count.
    let means: Assignment.Means?

    func position(of index: Int, _ group: [Int], weight: Double, in level: Level) -> Drawn {
        switch position {
        case .centroid:
            if let means {
                return Drawn(position: WorldPoint(x: means.x[index], y: means.y[index]))
            }
            return Drawn(position: mean(of: index, group, weight: weight, in: level))
        case .anchor:
            return Drawn(position: center(of: index, in: level))
        case .nearest, .max, .min:
            let members = ([index] + group).map { level.node[$0] }
            let best = choice?.best(of: members, in: hierarchy, input)
            return Drawn(
                position: best?.place ?? center(of: index, in: level), representative: best?.point)
        }
    }

    /// Where a node is drawn.
    @inline(__always)
    private func center(of index: Int, in level: Level) -> WorldPoint {
        let node = level.node[index]
        if !movesNodes, node.isCluster {
            return WorldPoint(x: hierarchy.x[node.number], y: hierarchy.y[node.number])
        }
        return WorldPoint(x: level.x[index], y: level.y[index])
    }

    /// The weighted mean, or by numbers of points if all weights are zero. On a world that wraps, the other nodes
    /// are taken on the side that is nearer to the first.
    private func mean(
        of index: Int, _ group: [Int], weight: Double, in level: Level
    ) -> WorldPoint {
        let usesWeights = weight > 0
        let first = center(of: index, in: level)
        let own = usesWeights ? level.weight(of: index) : Double(level.points[index])
        var total = own
        var x = first.x * own
        var y = first.y * own
        for other in group {
            var position = center(of: other, in: level)
            let weight = usesWeights ? level.weight(of: other) : Double(level.points[other])
            if wraps, abs(position.x - first.x) > 0.5 {
                position.x += position.x < first.x ? 1 : -1
            }
            x += position.x * weight
            y += position.y * weight
            total += weight
        }
        let mean = WorldPoint(x: x / total, y: y / total)
        return wraps ? mean.wrapped : mean
    }
}
