import Geometry
import Points

/// Where a new cluster is drawn, and which point stands for it.
struct Placement: Sendable {
    struct Site {
        var place: WorldPoint
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

    func site(of index: Int, _ group: [Int], weight: Double, in level: Level) -> Site {
        switch position {
        case .centroid:
            return Site(place: mean(of: index, group, weight: weight, in: level))
        case .anchor:
            return Site(place: place(of: index, in: level))
        case .nearest, .max, .min:
            let members = ([index] + group).map { level.node[$0] }
            let best = choice?.best(of: members, in: hierarchy, input) ?? 0
            return Site(
                place: WorldPoint(x: input.x[best], y: input.y[best]), representative: best)
        }
    }

    /// Where a node is drawn.
    @inline(__always)
    private func place(of index: Int, in level: Level) -> WorldPoint {
        let node = level.node[index]
        if !movesNodes, node.isCluster {
            return WorldPoint(x: hierarchy.x[node.number], y: hierarchy.y[node.number])
        }
        return WorldPoint(x: level.x[index], y: level.y[index])
    }

    /// The weighted mean, by points where all weights are zero; on a world that wraps, the others
    /// are taken on their near side.
    private func mean(
        of index: Int, _ group: [Int], weight: Double, in level: Level
    ) -> WorldPoint {
        let usesWeights = weight > 0
        let first = place(of: index, in: level)
        let own = usesWeights ? level.weight(of: index) : Double(level.points[index])
        var total = own
        var x = first.x * own
        var y = first.y * own
        for other in group {
            var place = place(of: other, in: level)
            let weight = usesWeights ? level.weight(of: other) : Double(level.points[other])
            if wraps, abs(place.x - first.x) > 0.5 { place.x += place.x < first.x ? 1 : -1 }
            x += place.x * weight
            y += place.y * weight
            total += weight
        }
        let mean = WorldPoint(x: x / total, y: y / total)
        return wraps ? mean.wrapped : mean
    }
}
