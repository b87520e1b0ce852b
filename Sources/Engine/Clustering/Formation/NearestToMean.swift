import Geometry

/// Finds the point that is nearest to the mean of some points, in three walks over them in one order. So the sums
/// have the same bits wherever the points are kept.
///
///     for point in points { search.weigh(point.weight) }
///     for point in points { search.average(point.x, point.y, point.weight) }
///     for point in points { search.compare(point.number, point.x, point.y) }
struct NearestToMean {
    private let origin: Double
    private let wraps: Bool
    private var count = 0
    private var total = 0.0
    private var mean = WorldPoint(x: 0, y: 0)
    private var least = Double.infinity
    /// The first of those that are nearest.
    private(set) var best: (point: UInt32, place: WorldPoint) = (0, WorldPoint(x: 0, y: 0))

    /// - Parameter origin: the x of the first point; on a world that wraps, all others are taken on the side that
    ///   is nearer to it.
    init(from origin: Double, wraps: Bool) {
        self.origin = origin
        self.wraps = wraps
    }

    @inline(__always)
    mutating func weigh(_ weight: Double) {
        count += 1
        total += weight
    }

    @inline(__always)
    mutating func average(_ x: Double, _ y: Double, _ weight: Double) {
        let share = total > 0 ? weight / total : 1 / Double(count)
        mean.x += unrolled(x) * share
        mean.y += y * share
    }

    @inline(__always)
    mutating func compare(_ point: UInt32, _ x: Double, _ y: Double) {
        let distance = WorldPoint(x: unrolled(x), y: y).squaredDistance(to: mean)
        guard distance < least else { return }
        least = distance
        best = (point, WorldPoint(x: x, y: y))
    }

    @inline(__always)
    private func unrolled(_ x: Double) -> Double {
        guard wraps, abs(x - origin) > 0.5 else { return x }
        return x + (x < origin ? 1 : -1)
    }
}
