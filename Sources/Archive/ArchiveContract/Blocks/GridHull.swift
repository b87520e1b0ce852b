/// The smallest convex polygon around points of the grid. It is exact: with whole numbers there is no doubt
/// whether three points are in line. So the hull of hulls is the hull of all their points.
public struct GridHull: Hashable, Sendable {
    /// The corners in order, clockwise as seen on a map (y runs south), without a closing repeat.
    ///
    /// One point or a straight line gives one or two corners. No three corners are in line.
    public let corners: [GridPoint]

    /// - Complexity: O(n log n), by Andrew's monotone chain.
    public init(of points: [GridPoint]) {
        // One number for each point sorts by x, then y, several times faster than two.
        var sorted = points.map { Int64($0.x) << 32 | (Int64($0.y) + (1 << 31)) }
        if sorted.count > Self.fewPoints { Self.dropInner(&sorted) }
        sorted.sort()
        guard let first = sorted.first, let last = sorted.last, first != last else {
            corners = sorted.first.map { [Self.point($0)] } ?? []
            return
        }
        var chain: [Int64] = []
        Self.extend(&chain, along: sorted, keeping: 0)
        chain.removeLast()
        let turn = chain.count
        Self.extend(&chain, along: sorted.reversed(), keeping: turn)
        chain.removeLast()
        corners = chain.map(Self.point)
    }

    /// The hull of points on a world that wraps. If a gap between their columns is wider than the one across the
    /// antimeridian, the points west of the widest gap are moved east by a world's width.
    public init(wrapping points: [GridPoint]) {
        let world = Int32(GridPoint.steps)
        guard let box = GridBox(around: points), box.east - box.west > Int64(world / 2) else {
            self.init(of: points)
            return
        }
        let columns = points.map { Int64($0.x) }.sorted()
        var (widest, end) = (box.west + Int64(world) - box.east, box.west)
        for (column, next) in zip(columns, columns.dropFirst()) where next - column > widest {
            (widest, end) = (next - column, next)
        }
        self.init(
            of: points.map { point in
                let isWest = Int64(point.x) < end
                // A point of an untrusted file may lie anywhere.
                return GridPoint(
                    x: isWest ? Int32(clamping: Int64(point.x) + Int64(world)) : point.x, y: point.y
                )
            })
    }

    /// The most corners to gather before those that are no longer needed are dropped.
    package static let mostCorners = 100_000
    /// So few points are sorted faster than filtered.
    private static let fewPoints = 32

    /// Drops the points within the four outermost ones: none of them is a corner, and they are most.
    private static func dropInner(_ points: inout [Int64]) {
        guard let first = points.first else { return }
        var outermost = (west: first, north: first, east: first, south: first)
        for point in points {
            if x(point) < x(outermost.west) { outermost.west = point }
            if x(point) > x(outermost.east) { outermost.east = point }
            if y(point) < y(outermost.north) { outermost.north = point }
            if y(point) > y(outermost.south) { outermost.south = point }
        }
        let (west, north, east, south) = outermost
        points.removeAll { point in
            cross(west, north, point) > 0 && cross(north, east, point) > 0
                && cross(east, south, point) > 0 && cross(south, west, point) > 0
        }
    }

    private static func x(_ packed: Int64) -> Int64 { packed >> 32 }
    private static func y(_ packed: Int64) -> Int64 { packed & 0xFFFF_FFFF - (1 << 31) }

    private static func point(_ packed: Int64) -> GridPoint {
        GridPoint(x: Int32(x(packed)), y: Int32(y(packed)))
    }

    /// Walks the points, dropping each corner that the next point makes straight or hollow.
    private static func extend(
        _ chain: inout [Int64], along points: some Sequence<Int64>, keeping kept: Int
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

    /// Two worlds' width times one world's height fits: 2^31 · 2^30, twice. Overflow from untrusted coordinates
    /// does no harm.
    private static func cross(_ a: Int64, _ b: Int64, _ c: Int64) -> Int64 {
        (x(b) - x(a)) &* (y(c) - y(a)) &- (y(b) - y(a)) &* (x(c) - x(a))
    }
}
