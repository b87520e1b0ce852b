import ParallelColumns

/// Finds the nodes of a level near clusters that formed there.
struct Vicinity: Sendable {
    private let formation: ClusterFormation
    private let wraps: Bool
    private let reach: Double

    init(of formation: ClusterFormation, wraps: Bool) {
        self.formation = formation
        self.wraps = wraps
        reach = formation.level.rows.reach
    }

    /// Takes all nodes out of the level that lie within the radius of a cluster, and perhaps some
    /// that lie a rounding error further; answers with the clusters and them.
    func take(around clusters: FormedClusters, workers: Workers) -> Level {
        let pieces = workers.cut(clusters.count, eachAtLeast: 1_024)
        let found = Slots<[UInt32]>(count: pieces.count)
        workers.forEach(pieces.count) { piece in
            found.put(indices(near: pieces[piece], of: clusters), at: piece)
        }
        var near: [UInt32] = []
        for index in found.all.joined() where formation.survives(Int(index)) {
            formation.remove(Int(index))
            near.append(index)
        }
        let nodes = clusters.nodes
        let joined = nodes.makeEmpty(
            count: nodes.count + near.count, rows: nodes.rows, in: workers.scratch)
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
        let places = clusters.nodes
        // Where the last search in each of a few rows began. Clusters come in the order of the
        // nodes that they grew from, so up to five rows take turns.
        var starts = InlineArray<8, Int>(repeating: 0)
        for index in range {
            let (x, y) = (places.x[index], places.y[index])
            let row = places.row(of: index)
            for row in row - 1...row + 1 {
                if let near = start(of: clusters.leads?[index], row) {
                    starts[row & 7] = walk(from: near, row, x: x - reach)
                } else {
                    starts[row & 7] = formation.level.firstIndex(
                        near: starts[row & 7], row: row, x: x - reach)
                }
                collect(x, y, row, from: starts[row & 7], &found)
            }
            guard wraps else { continue }
            if x - reach < 0 { collect(x + 1, y, around: row, &found) }
            if x + reach >= 1 { collect(x - 1, y, around: row, &found) }
        }
        return found
    }

    private func collect(_ x: Double, _ y: Double, around row: Int, _ found: inout [UInt32]) {
        for row in row - 1...row + 1 {
            let start = formation.level.firstIndex(row: row, x: x - reach)
            collect(x, y, row, from: start, &found)
        }
    }

    /// Where the search around the node that a cluster grew from began in a row.
    @inline(__always)
    private func start(of lead: UInt32?, _ row: Int) -> Int? {
        guard let lead, let neighbourhood = formation.claims.neighbourhood else { return nil }
        return switch row - formation.level.row(of: Int(lead)) {
        case -1: neighbourhood.firstAbove(Int(lead))
        case 0: Int(lead)
        case 1: neighbourhood.firstBelow(Int(lead))
        default: nil
        }
    }

    /// The first node of a row from `west` on, a few steps from a place near it.
    ///
    /// The steps of all clusters are O(n), as the nodes that they grew from are further apart
    /// than the radius, and no cluster is further from its own.
    @inline(__always)
    private func walk(from place: Int, _ row: Int, x west: Double) -> Int {
        let level = formation.level
        var place = place
        while place < level.count, level.x[place] < west, level.row(of: place) == row { place += 1 }
        while place > 0, level.x[place - 1] >= west, level.row(of: place - 1) == row { place -= 1 }
        return place
    }

    @inline(__always)
    private func collect(
        _ x: Double, _ y: Double, _ row: Int, from start: Int, _ found: inout [UInt32]
    ) {
        let level = formation.level
        var index = start
        while index < level.count, level.x[index] <= x + reach, level.row(of: index) == row {
            let (dx, dy) = (level.x[index] - x, level.y[index] - y)
            if dx * dx + dy * dy <= reach * reach, formation.survives(index) {
                found.append(UInt32(truncatingIfNeeded: index))
            }
            index += 1
        }
    }
}
