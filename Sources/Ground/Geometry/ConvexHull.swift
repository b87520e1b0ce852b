/// The smallest convex polygon around a set of points.
public struct ConvexHull: Hashable, Sendable {
    /// The corners in order, clockwise as seen on a map (y runs south), without a closing repeat.
    ///
    /// One point or a straight line gives one or two corners. No three corners are in line.
    public let corners: [WorldPoint]

    /// - Complexity: O(n log n), by Andrew's monotone chain.
    public init(of points: [WorldPoint]) {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        guard let first = sorted.first, let last = sorted.last, first != last else {
            corners = sorted.first.map { [$0] } ?? []
            return
        }
        var chain: [WorldPoint] = []
        Self.extend(&chain, along: sorted)
        chain.removeLast()
        let turn = chain.count
        Self.extend(&chain, along: sorted.reversed(), keeping: turn)
        chain.removeLast()
        corners = chain
    }

    /// Adds the points to the chain, dropping each corner that the next point makes straight or concave.
    private static func extend(
        _ chain: inout [WorldPoint], along points: [WorldPoint], keeping kept: Int = 0
    ) {
        for point in points {
            while chain.count >= kept + 2,
                cross(chain[chain.count - 2], chain[chain.count - 1], point) <= 0
            {
                chain.removeLast()
            }
            if chain.count == kept || chain[chain.count - 1] != point { chain.append(point) }
        }
    }

    private static func cross(_ a: WorldPoint, _ b: WorldPoint, _ c: WorldPoint) -> Double {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
}
