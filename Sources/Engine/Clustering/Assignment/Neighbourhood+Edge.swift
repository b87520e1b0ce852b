/// The world's east and west edges, where they meet.
extension Neighbourhood {
    /// Whether a node lies within the radius of another, as `visit` finds it.
    func isNear(_ other: Int, to index: Int) -> Bool {
        let (px, py, x) = (nodes.xs[index], nodes.ys[index], nodes.xs[other])
        if x >= px - reach, x <= px + reach { return isNear(other, px, py) }
        return wraps && isNearAcrossEdge(other, px, py)
    }

    /// Whether a node is near the other way round the world.
    @inline(__always)
    private func isNearAcrossEdge(_ other: Int, _ px: Double, _ py: Double) -> Bool {
        let dx = 1 - abs(nodes.xs[other] - px)
        let dy = nodes.ys[other] - py
        return dx * dx + dy * dy <= nodes.bands.squaredRadius
    }

    /// Like `scan`, for nodes that are nearer the other way round the world.
    private func scanAcrossEdge(
        from start: Int, _ band: Int, _ px: Double, _ py: Double, _ east: Double,
        _ body: (Int) -> Bool
    ) -> Bool {
        var other = start
        while other < nodes.count, nodes.xs[other] <= east, nodes.band(of: other) == band {
            if isNearAcrossEdge(other, px, py), !body(other) { return false }
            other += 1
        }
        return true
    }

    /// Visits the nodes within the radius on the other side of the antimeridian.
    @inline(never)
    func visitAcrossEdge(
        _ band: Int, _ px: Double, _ py: Double, _ body: (Int) -> Bool
    ) {
        let fromEast = px - reach + 1
        let toWest = px + reach - 1
        for there in band - 1...band + 1 {
            if fromEast < 1 {
                // Nodes up to px + reach have been seen on this side.
                let start = max(fromEast, (px + reach).nextUp)
                let first = level.firstIndex(band: there, x: start)
                guard scanAcrossEdge(from: first, there, px, py, 2, body) else { return }
            }
            if toWest >= 0 {
                let end = min(toWest, (px - reach).nextDown)
                let first = level.firstIndex(band: there, x: -1)
                guard scanAcrossEdge(from: first, there, px, py, end, body) else { return }
            }
        }
    }
}
