import ParallelColumns

/// Writes the clusters of a pass to the hierarchy, and as nodes of a level.
struct ClusterWriter: Sendable {
    private let formation: ClusterFormation
    private let placement: Placement
    private let target: Hierarchy.Room
    private let formed: FormedClusters
    private let level: Level

    /// - Parameter room: Room for just these clusters at the end of the hierarchy.
    init(
        _ formation: ClusterFormation, to room: Hierarchy.Room, _ formed: FormedClusters,
        _ placement: Placement
    ) {
        self.formation = formation
        self.placement = placement
        self.formed = formed
        level = formation.level
        target = room
    }

    func run(_ workers: Workers) {
        let parts = formation.parts
        var starts = [(cluster: target.clusters.lowerBound, child: target.children.lowerBound)]
        for part in parts {
            let last = starts[starts.count - 1]
            starts.append((last.cluster + part.leads.count, last.child + part.childCount))
        }
        workers.forEach(parts.count) { [starts] piece in
            write(parts[piece], from: starts[piece].cluster, starts[piece].child)
        }
    }

    private func write(_ part: ClusterFormation.Part, from cluster: Int, _ child: Int) {
        var group: [Int] = []
        var child = child
        for (offset, place) in part.leads.enumerated() {
            let lead = formation.lead(place)
            formation.gather(lead, into: &group)
            adopt(level.node[lead], &child)
            for other in group { adopt(level.node[other], &child) }
            target.childEnds[cluster + offset] = UInt32(truncatingIfNeeded: child)
            write(cluster + offset, grownFrom: lead, group)
        }
    }

    /// Adds a child; one that formed at this very zoom gives way to its own children.
    @inline(__always)
    private func adopt(_ node: NodeReference, _ child: inout Int) {
        guard placement.hierarchy.isOfOpenZoom(node) else {
            target.childColumn[child] = node
            child += 1
            return
        }
        target.zooms[node.number] = Hierarchy.dissolved
        for place in placement.hierarchy.childRange(of: node.number) {
            target.childColumn[child] = target.childColumn[place]
            child += 1
        }
    }

    private func write(_ cluster: Int, grownFrom lead: Int, _ group: [Int]) {
        var points = level.points[lead]
        var places = UInt32(level.placeCount(of: lead))
        var weight = level.weight(of: lead)
        for other in group {
            points += level.points[other]
            places += UInt32(level.placeCount(of: other))
            weight += level.weight(of: other)
        }
        let site = placement.site(of: lead, group, weight: weight, in: level)
        target.xs[cluster] = site.place.x
        target.ys[cluster] = site.place.y
        target.zooms[cluster] = UInt8(placement.zoom)
        target.points[cluster] = points
        target.weights?[cluster] = weight
        if let point = site.representative { target.representatives?[cluster] = point }
        let place = cluster - target.clusters.lowerBound
        let (nodes, isMoved) = (formed.nodes, placement.movesNodes)
        formed.leads?[place] = UInt32(truncatingIfNeeded: lead)
        nodes.node[place] = .cluster(cluster)
        nodes.x[place] = isMoved ? site.place.x : level.x[lead]
        nodes.y[place] = isMoved ? site.place.y : level.y[lead]
        nodes.rank[place] = level.rank[lead]
        nodes.points[place] = points
        nodes.weight?[place] = weight
        nodes.places?[place] = places
    }
}
