import ParallelColumns

/// Finds the nodes of a level near clusters that formed there.
struct NearbyNodes: Sendable {
    private let formation: ClusterFormation
    private let wraps: Bool

    init(of formation: ClusterFormation, wraps: Bool) {
        self.formation = formation
        self.wraps = wraps
    }

    /// Takes all nodes out of the level that lie within the radius of a cluster, and perhaps some that lie a
    /// rounding error further; returns the clusters and these nodes.
    func take(around clusters: FormedClusters, workers: Workers) -> Level {
        let pieces = workers.cut(clusters.count, eachAtLeast: 1_024)
        let found = workers.map(pieces) { range in
            var search = NearbySearch(formation, clusters, wraps: wraps)
            search.look(around: range)
            return search.found
        }
        var near: [UInt32] = []
        for index in found.joined() where formation.survives(Int(index)) {
            formation.remove(Int(index))
            near.append(index)
        }
        let nodes = clusters.nodes
        let joined = nodes.makeEmpty(
            count: nodes.count + near.count, bands: nodes.bands, in: workers.scratch)
        workers.forEachRange(of: joined.count) { [near] range in
            for index in range.clamped(to: 0..<nodes.count) {
                joined.set(index, to: index, of: nodes)
            }
            for index in range.clamped(to: nodes.count..<joined.count) {
                joined.set(index, to: Int(near[index - nodes.count]), of: formation.level)
            }
        }
        return joined
    }
}
