/// Finds the nodes of a level that lie within the radius of one of them.
struct Neighbourhood: Sendable {
    let level: Level
    let wraps: Bool
    /// For each node the first that may be near it in the row above, and in the row below.
    private let above: SharedColumn<UInt32>
    private let below: SharedColumn<UInt32>
    /// How far to look east and west; on a world that wraps no two places are further apart.
    private let reach: Double

    init(_ level: Level, wraps: Bool, scratch: Arena) {
        self.level = level
        self.wraps = wraps
        above = SharedColumn(count: level.count, in: scratch)
        below = SharedColumn(count: level.count, in: scratch)
        reach = wraps ? min(level.rows.reach, 0.5) : level.rows.reach
    }

    /// Finds where to look for the neighbours of each node of a range, by one walk in order.
    func prepare(_ range: Range<Int>) {
        guard let first = range.first else { return }
        let level = level
        var up = level.firstIndex(row: level.row(of: first) - 1, x: level.x[first] - reach)
        var down = level.firstIndex(row: level.row(of: first) + 1, x: level.x[first] - reach)
        for index in range {
            let row = level.row(of: index)
            let west = level.x[index] - reach
            advance(&up, toRow: row - 1, x: west)
            advance(&down, toRow: row + 1, x: west)
            above[index] = UInt32(truncatingIfNeeded: up)
            below[index] = UInt32(truncatingIfNeeded: down)
        }
    }

    @inline(__always)
    private func advance(_ index: inout Int, toRow row: Int, x west: Double) {
        while index < level.count {
            let there = level.row(of: index)
            guard there < row || there == row && level.x[index] < west else { return }
            index += 1
        }
    }

    /// Whether any other node lies within the radius.
    @inline(__always)
    func isAlone(_ index: Int) -> Bool {
        var alone = true
        visit(around: index) { _ in
            alone = false
            return false
        }
        return alone
    }

    /// Calls `body` with each other node within the radius until it answers false.
    ///
    /// The node's own row comes first, nearest first: in a crowd that ends a search at once.
    @inline(__always)
    func visit(around index: Int, _ body: (Int) -> Bool) {
        let px = level.x[index]
        let py = level.y[index]
        let row = level.rows.row(py)
        let west = px - reach
        let east = px + reach
        var other = index - 1
        while other >= 0, level.x[other] >= west, level.row(of: other) == row {
            if isNear(other, px, py), !body(other) { return }
            other -= 1
        }
        guard scan(from: index + 1, row, px, py, east, body),
            scan(from: Int(above[index]), row - 1, px, py, east, body),
            scan(from: Int(below[index]), row + 1, px, py, east, body)
        else { return }
        if wraps, west < 0 || east >= 1 { visitAcrossEdge(row, px, py, body) }
    }

    @inline(__always)
    private func isNear(_ other: Int, _ px: Double, _ py: Double) -> Bool {
        let dx = level.x[other] - px
        let dy = level.y[other] - py
        return dx * dx + dy * dy <= level.rows.squaredRadius
    }

    @inline(__always)
    private func scan(
        from start: Int, _ row: Int, _ px: Double, _ py: Double, _ east: Double,
        _ body: (Int) -> Bool
    ) -> Bool {
        var other = start
        while other < level.count, level.x[other] <= east, level.row(of: other) == row {
            if isNear(other, px, py), !body(other) { return false }
            other += 1
        }
        return true
    }

    /// Like `scan`, for nodes that are nearer the other way round the world.
    private func scanAcrossEdge(
        from start: Int, _ row: Int, _ px: Double, _ py: Double, _ east: Double,
        _ body: (Int) -> Bool
    ) -> Bool {
        var other = start
        while other < level.count, level.x[other] <= east, level.row(of: other) == row {
            let dx = 1 - abs(level.x[other] - px)
            let dy = level.y[other] - py
            if dx * dx + dy * dy <= level.rows.squaredRadius, !body(other) { return false }
            other += 1
        }
        return true
    }

    /// Visits what lies within the radius on the other side of the antimeridian.
    @inline(never)
    private func visitAcrossEdge(
        _ row: Int, _ px: Double, _ py: Double, _ body: (Int) -> Bool
    ) {
        let fromEast = px - reach + 1
        let toWest = px + reach - 1
        for there in row - 1...row + 1 {
            if fromEast < 1 {
                // Nodes up to px + reach have been seen on this side.
                let start = max(fromEast, (px + reach).nextUp)
                let first = level.firstIndex(row: there, x: start)
                guard scanAcrossEdge(from: first, there, px, py, 2, body) else { return }
            }
            if toWest >= 0 {
                let end = min(toWest, (px - reach).nextDown)
                let first = level.firstIndex(row: there, x: -1)
                guard scanAcrossEdge(from: first, there, px, py, end, body) else { return }
            }
        }
    }
}
