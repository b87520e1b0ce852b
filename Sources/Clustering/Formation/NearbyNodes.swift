import ParallelColumns

/// Finds the nodes of a level near clusters that formed there.
struct NearbyNodes: Sendable {
    private let formation: ClusterFormation
    private let wraps: Bool
    private let reach: Double

    init(of formation: ClusterFormation, wraps: Bool) {
        self.formation = formation
        self.wraps = wraps
        reach = formation.level.bands.reach
    }

    /// Takes all nodes out of the level that lie within the radius of a cluster, and perhaps some
    /// that lie a rounding error further; answers with the clusters and them.
    func take(around clusters: FormedClusters, workers: Workers) -> Level {
        let pieces = workers.cut(clusters.count, eachAtLeast: 1_024)
        let found = workers.map(pieces) { indices(near: $0, of: clusters) }
        var near: [UInt32] = []
        for index in found.joined() where formation.survives(Int(index)) {
            formation.remove(Int(index))
            near.append(index)
        }
        let nodes = clusters.nodes
        let joined = nodes.makeEmpty(
            count: nodes.count + near.count, bands: nodes.bands, in: workers.scratch)
        let ranges = workers.cut(joined.count)
        workers.forEach(ranges.count) { [near] piece in
            for index in ranges[piece].clamped(to: 0..<nodes.count) {
                joined.set(index, to: index, of: nodes)
            }
            for index in ranges[piece].clamped(to: nodes.count..<joined.count) {
                joined.set(index, to: Int(near[index - nodes.count]), of: formation.level)
            }
        }
        return joined
    }

    private func indices(near range: Range<Int>, of clusters: FormedClusters) -> [UInt32] {
        var found: [UInt32] = []
        found.reserveCapacity(range.count)
        let around = clusters.nodes
        // Where the last search in each of a few bands began. Clusters come in the order of the
        // nodes that they grew from, so up to five bands take turns.
        var starts = InlineArray<8, Int>(repeating: 0)
        for index in range {
            let (x, y) = (around.x[index], around.y[index])
            let band = around.band(of: index)
            for band in band - 1...band + 1 {
                if let near = start(of: clusters.seeds?[index], band) {
                    starts[band & 7] = walk(from: near, band, x: x - reach)
                } else {
                    starts[band & 7] = formation.level.firstIndex(
                        near: starts[band & 7], band: band, x: x - reach)
                }
                collect(x, y, band, from: starts[band & 7], &found)
            }
            guard wraps else { continue }
            if x - reach < 0 { collect(x + 1, y, around: band, &found) }
            if x + reach >= 1 { collect(x - 1, y, around: band, &found) }
        }
        return found
    }

    private func collect(_ x: Double, _ y: Double, around band: Int, _ found: inout [UInt32]) {
        for band in band - 1...band + 1 {
            let start = formation.level.firstIndex(band: band, x: x - reach)
            collect(x, y, band, from: start, &found)
        }
    }

    /// Where the search around the node that a cluster grew from began in a band.
    @inline(__always)
    private func start(of seed: UInt32?, _ band: Int) -> Int? {
        guard let seed, let neighbourhood = formation.assignment.neighbourhood else { return nil }
        return switch band - formation.level.band(of: Int(seed)) {
        case -1: neighbourhood.firstAbove(Int(seed))
        case 0: Int(seed)
        case 1: neighbourhood.firstBelow(Int(seed))
        default: nil
        }
    }

    /// The first node of a band from `west` on, a few steps from a node near it.
    ///
    /// The steps of all clusters are O(n), as the nodes that they grew from are further apart
    /// than the radius, and no cluster is further from its own.
    @inline(__always)
    private func walk(from index: Int, _ band: Int, x west: Double) -> Int {
        let level = formation.level
        var index = index
        while index < level.count, level.x[index] < west, level.band(of: index) == band {
            index += 1
        }
        while index > 0, level.x[index - 1] >= west, level.band(of: index - 1) == band {
            index -= 1
        }
        return index
    }

    @inline(__always)
    private func collect(
        _ x: Double, _ y: Double, _ band: Int, from start: Int, _ found: inout [UInt32]
    ) {
        let level = formation.level
        var index = start
        while index < level.count, level.x[index] <= x + reach, level.band(of: index) == band {
            let (dx, dy) = (level.x[index] - x, level.y[index] - y)
            if dx * dx + dy * dy <= reach * reach, formation.survives(index) {
                found.append(UInt32(truncatingIfNeeded: index))
            }
            index += 1
        }
    }
}
