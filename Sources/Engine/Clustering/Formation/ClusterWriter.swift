import ParallelColumns

/// Writes the clusters of a pass to the hierarchy, and as nodes of a level.
struct ClusterWriter: Sendable {
    private let formation: ClusterFormation
    private let positioning: Positioning
    private let target: Hierarchy.Room
    /// The clusters as nodes, and the nodes that they grew from.
    private let nodes: Level
    private let seeds: SharedColumn<UInt32>?
    private let level: Level

    /// - Parameter room: Room for just these clusters at the end of the hierarchy.
    init(
        _ formation: ClusterFormation, to room: Hierarchy.Room, _ formed: FormedClusters,
        _ positioning: Positioning
    ) {
        self.formation = formation
        self.positioning = positioning
        nodes = formed.nodes
        seeds = formed.seeds
        level = formation.level
        target = room
    }

    func run(_ workers: Workers) {
        let parts = formation.parts
        var starts = [(cluster: target.clusters.lowerBound, child: target.children.lowerBound)]
        for part in parts {
            let last = starts[starts.count - 1]
            starts.append((last.cluster + part.seeds.count, last.child + part.childCount))
        }
        workers.forEach(parts.count) { [starts] piece in
            write(parts[piece], from: starts[piece].cluster, starts[piece].child)
        }
    }

    private func write(_ part: ClusterFormation.Part, from cluster: Int, _ child: Int) {
        var group: [Int] = []
        var child = child
        for (offset, index) in part.seeds.enumerated() {
            let seed = formation.seed(at: index)
            formation.gather(seed, into: &group)
            adopt(level.node[seed], &child)
            for other in group { adopt(level.node[other], &child) }
            target.childEnds[cluster + offset] = UInt32(truncatingIfNeeded: child)
            write(cluster + offset, grownFrom: seed, group)
        }
    }

    /// Adds a child; a cluster that formed at the same zoom is replaced by its own children.
    @inline(__always)
    private func adopt(_ node: NodeReference, _ child: inout Int) {
        guard positioning.hierarchy.isOfOpenZoom(node) else {
            target.childColumn[child] = node
            child += 1
            return
        }
        target.zooms[node.number] = Hierarchy.dissolved
        for index in positioning.hierarchy.childRange(of: node.number) {
            target.childColumn[child] = target.childColumn[index]
            child += 1
        }
    }

    private func write(_ cluster: Int, grownFrom seed: Int, _ group: [Int]) {
        var points = level.points[seed]
        var sites = level.siteCount(of: seed)
        var weight = level.weight(of: seed)
        for other in group {
            points += level.points[other]
            sites += level.siteCount(of: other)
            weight += level.weight(of: other)
        }
        let drawn = positioning.position(of: seed, group, weight: weight, in: level)
        target.xs[cluster] = drawn.position.x
        target.ys[cluster] = drawn.position.y
        target.zooms[cluster] = UInt8(positioning.zoom)
        target.points[cluster] = points
        target.weights?[cluster] = weight
        if let point = drawn.representative { target.representatives?[cluster] = point }
        let index = cluster - target.clusters.lowerBound
        let isMoved = positioning.movesNodes
        seeds?[index] = UInt32(truncatingIfNeeded: seed)
        nodes.set(
            index, to: .cluster(cluster), x: isMoved ? drawn.position.x : level.x[seed],
            y: isMoved ? drawn.position.y : level.y[seed], rank: level.rank[seed], points: points)
        nodes.weight?[index] = weight
        nodes.siteCounts?[index] = sites
    }
}
