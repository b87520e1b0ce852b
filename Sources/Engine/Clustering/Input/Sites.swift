import ParallelColumns
import Points

/// The sites of a hierarchy's points.
///
/// Points at one site, which is one exact position, share their fate at every zoom: the node that gathers
/// one of them gathers all. So the engine sees sites, and a million points at one of them are one
/// node.
struct Sites: Sendable {
    /// Points, site by site; at one site in rank order.
    let points: SharedColumn<UInt32>
    let count: Int
    /// Where each site's points start, and where the last site's end; nil if each site has one point.
    private let starts: SharedColumn<UInt32>?

    /// Whether several points share one site.
    var hasCoincident: Bool { starts != nil }

    @inline(__always)
    func range(of site: Int) -> Range<Int> {
        guard let starts else { return site..<site + 1 }
        return Int(starts[site])..<Int(starts[site + 1])
    }

    @inline(__always)
    private func firstPoint(of site: Int) -> UInt32 {
        points[starts.map { Int($0[site]) } ?? site]
    }

    /// The points' sites, sorted for the given bands, and the level that they make up.
    static func find(
        in input: ClusterInput, bands: Bands, into arena: Arena, workers: Workers
    ) -> (sites: Sites, level: Level) {
        let ranks = Ranking.ranks(of: input, workers: workers)
        let sites = workers.stage { workers in
            Sites(
                Level.order(xs: input.x, ys: input.y, rank: ranks, bands: bands, workers: workers),
                of: input, workers)
        }
        sites.sortPoints(of: input, workers: workers)
        return (sites, sites.makeLevel(of: input, ranks, bands, into: arena, workers))
    }

    private init(_ order: SharedColumn<SortEntry>, of input: ClusterInput, _ workers: Workers) {
        points = SharedColumn(count: order.count, in: input.arena)
        let pieces = workers.cut(order.count)
        let counts = SharedColumn<Int>(count: pieces.count, in: workers.scratch)
        workers.forEach(pieces.count) { [points] piece in
            var count = 0
            for index in pieces[piece] {
                points[index] = order[index].item
                if Self.isNew(index, in: order, input) { count += 1 }
            }
            counts[piece] = count
        }
        count = pieces.indices.reduce(0) { $0 + counts[$1] }
        guard count < order.count else {
            starts = nil
            return
        }
        let starts = SharedColumn<UInt32>(count: count + 1, in: input.arena)
        self.starts = starts
        starts[count] = UInt32(truncatingIfNeeded: order.count)
        workers.forEach(pieces.count) { piece in
            var site = (0..<piece).reduce(0) { $0 + counts[$1] }
            for index in pieces[piece] where Self.isNew(index, in: order, input) {
                starts[site] = UInt32(truncatingIfNeeded: index)
                site += 1
            }
        }
    }

    /// Whether a point has another position than the one before it.
    @inline(__always)
    private static func isNew(
        _ index: Int, in order: SharedColumn<SortEntry>, _ input: ClusterInput
    ) -> Bool {
        // Most positions differ in the key already, which costs less to read.
        guard index > 0, order[index].key == order[index - 1].key else { return true }
        let (point, last) = (order[index].item, order[index - 1].item)
        return input.x[point] != input.x[last] || input.y[point] != input.y[last]
    }

    /// Puts points that share a site into rank order.
    private func sortPoints(of input: ClusterInput, workers: Workers) {
        guard input.options.order == .stable, count < points.count else { return }
        let order = CoincidentOrder(input)
        workers.forEachRange(of: count) { sites in
            for site in sites where range(of: site).count > 1 {
                order.sort(points, range(of: site))
            }
        }
    }

    private func makeLevel(
        of input: ClusterInput, _ ranks: SharedColumn<UInt32>, _ bands: Bands, into arena: Arena,
        _ workers: Workers
    ) -> Level {
        let options = input.options
        let level = Level(
            count: count, bands: bands, weighted: options.weighted,
            countsSites: options.minUniqueLocations > 2, in: arena)
        workers.forEachRange(of: count) { sites in
            // Column by column: points lie anywhere in memory, and a short loop has many reads of them under way
            // at once.
            copy(input.x, to: level.x, sites)
            copy(input.y, to: level.y, sites)
            copy(ranks, to: level.rank, sites)
            number(level, sites)
            if let counts = level.siteCounts { for site in sites { counts[site] = 1 } }
            if let weights = level.weight {
                for site in sites {
                    weights[site] = range(of: site).reduce(0) { $0 + input.weight(points[$1]) }
                }
            }
            guard hasCoincident else { return }
            for site in sites {
                let range = range(of: site)
                level.points[site] = range.count
                level.rank[site] = range.reduce(UInt32.max) { min($0, ranks[points[$1]]) }
            }
        }
        return level
    }

    /// Gives each site of a range its own number, and one point.
    private func number(_ level: Level, _ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= level.count)
        let (nodes, points) = unsafe (level.node.unchecked, level.points.unchecked)
        for site in range { nodes[site] = .site(site) }
        for site in range { points[site] = 1 }
    }

    /// Copies the value of each site's first point, for the sites of a range.
    @inline(__always)
    private func copy<Value>(
        _ values: SharedColumn<Value>, to target: SharedColumn<Value>, _ range: Range<Int>
    ) {
        precondition(range.upperBound <= target.count && values.count == points.count)
        // The points are the rows of the input in another order, so no index is checked.
        let (values, target) = unsafe (values.unchecked, target.unchecked)
        for site in range { target[site] = values[firstPoint(of: site)] }
    }
}
