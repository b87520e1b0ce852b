/// Finds the nodes of a level near given places, best if each lies near the one before it.
struct Vicinity: Sendable {
    private let formation: ClusterFormation
    private let wraps: Bool
    private let reach: Double

    init(of formation: ClusterFormation, wraps: Bool) {
        self.formation = formation
        self.wraps = wraps
        reach = formation.level.rows.reach
    }

    /// Takes all nodes out of the level that lie within the radius of a place, and perhaps some
    /// that lie a rounding error further; answers with them.
    func remove(near places: Level, workers: Workers) -> [UInt32] {
        let pieces = workers.cut(places.count, eachAtLeast: 1_024)
        let found = Slots<[UInt32]>(count: pieces.count)
        workers.forEach(pieces.count) { piece in
            found.put(nodes(near: pieces[piece], of: places), at: piece)
        }
        var removed: [UInt32] = []
        for index in found.all.joined() where formation.survives(Int(index)) {
            formation.remove(Int(index))
            removed.append(index)
        }
        return removed
    }

    private func nodes(near range: Range<Int>, of places: Level) -> [UInt32] {
        var found: [UInt32] = []
        // Where the last search in each of a few rows began. Clusters come in the order of the
        // nodes that they grew from, so up to five rows take turns.
        var starts = InlineArray<8, Int>(repeating: 0)
        for index in range {
            let (x, y) = (places.x[index], places.y[index])
            let row = places.row(of: index)
            for row in row - 1...row + 1 { collect(x, y, row, from: &starts[row & 7], &found) }
            guard wraps else { continue }
            if x - reach < 0 { collect(x + 1, y, around: row, &found) }
            if x + reach >= 1 { collect(x - 1, y, around: row, &found) }
        }
        return found
    }

    private func collect(_ x: Double, _ y: Double, around row: Int, _ found: inout [UInt32]) {
        for row in row - 1...row + 1 {
            var start = 0
            collect(x, y, row, from: &start, &found)
        }
    }

    @inline(__always)
    private func collect(
        _ x: Double, _ y: Double, _ row: Int, from start: inout Int, _ found: inout [UInt32]
    ) {
        let level = formation.level
        start = level.firstIndex(near: start, row: row, x: x - reach)
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
