import ParallelColumns

/// A worker's search for the nodes of a level near a range of the clusters that formed there.
struct NearbySearch {
    /// Nodes that are near, some more than once.
    private(set) var found: [UInt32] = []

    private let formation: ClusterFormation
    private let clusters: FormedClusters
    /// The nodes of the level, which the formation keeps; no walk goes past its first or its last node.
    private let nodes: NodePositions
    private let neighbourhood: Neighbourhood?
    private let wraps: Bool
    private let reach: Double
    // Where the last search in each of a few bands began. Clusters come in the order of the
    // nodes that they grew from, so up to five bands take turns.
    private var starts = InlineArray<8, Int>(repeating: 0)

    init(_ formation: ClusterFormation, _ clusters: FormedClusters, wraps: Bool) {
        self.formation = formation
        self.clusters = clusters
        unsafe nodes = NodePositions(of: formation.level)
        neighbourhood = formation.assignment.neighbourhood
        self.wraps = wraps
        reach = nodes.bands.reach
    }

    mutating func look(around range: Range<Int>) {
        found.reserveCapacity(range.count)
        for index in range {
            let (x, y) = (clusters.nodes.x[index], clusters.nodes.y[index])
            let band = nodes.bands.band(y)
            for band in band - 1...band + 1 {
                if let near = start(of: clusters.seeds?[index], band) {
                    starts[band & 7] = walk(from: near, band, x: x - reach)
                } else {
                    starts[band & 7] = formation.level.firstIndex(
                        near: starts[band & 7], band: band, x: x - reach)
                }
                collect(x, y, band, from: starts[band & 7])
            }
            guard wraps else { continue }
            if x - reach < 0 { collect(x + 1, y, around: band) }
            if x + reach >= 1 { collect(x - 1, y, around: band) }
        }
    }

    private mutating func collect(_ x: Double, _ y: Double, around band: Int) {
        for band in band - 1...band + 1 {
            let start = formation.level.firstIndex(band: band, x: x - reach)
            collect(x, y, band, from: start)
        }
    }

    /// Where the search around the seed of a cluster began in a band.
    @inline(__always)
    private func start(of seed: UInt32?, _ band: Int) -> Int? {
        guard let seed, let neighbourhood else { return nil }
        return switch band - nodes.band(of: Int(seed)) {
        case -1: neighbourhood.firstAbove(Int(seed))
        case 0: Int(seed)
        case 1: neighbourhood.firstBelow(Int(seed))
        default: nil
        }
    }

    /// The first node of a band from `west` on, a few steps from a node near it.
    ///
    /// All clusters together take O(n) steps: their seeds are further apart than the radius, and no cluster is
    /// further than that from its seed.
    @inline(__always)
    private func walk(from index: Int, _ band: Int, x west: Double) -> Int {
        var index = index
        while index < nodes.count, nodes.xs[index] < west, nodes.band(of: index) == band {
            index += 1
        }
        while index > 0, nodes.xs[index - 1] >= west, nodes.band(of: index - 1) == band {
            index -= 1
        }
        return index
    }

    @inline(__always)
    private mutating func collect(_ x: Double, _ y: Double, _ band: Int, from start: Int) {
        var index = start
        while index < nodes.count, nodes.xs[index] <= x + reach, nodes.band(of: index) == band {
            let (dx, dy) = (nodes.xs[index] - x, nodes.ys[index] - y)
            if dx * dx + dy * dy <= reach * reach, formation.survives(index) {
                found.append(UInt32(truncatingIfNeeded: index))
            }
            index += 1
        }
    }
}
