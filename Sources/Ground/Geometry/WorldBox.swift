/// A box in the unit square that grows around points; east of the antimeridian, x continues past 1.
public struct WorldBox: Hashable, Sendable {
    public var minX: Double
    public var minY: Double
    public var maxX: Double
    public var maxY: Double

    @inlinable
    public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// The empty box; the first point replaces it.
    @inlinable
    public static var empty: WorldBox {
        WorldBox(minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
    }

    @inlinable
    public var isEmpty: Bool { minX > maxX }

    @inlinable
    public mutating func include(_ point: WorldPoint) {
        minX = min(minX, point.x)
        minY = min(minY, point.y)
        maxX = max(maxX, point.x)
        maxY = max(maxY, point.y)
    }

    /// The box extended by a distance on each side.
    public func grown(by distance: Double) -> WorldBox {
        WorldBox(
            minX: minX - distance, minY: minY - distance, maxX: maxX + distance,
            maxY: maxY + distance)
    }

    /// The box moved east.
    package func moved(east distance: Double) -> WorldBox {
        WorldBox(minX: minX + distance, minY: minY, maxX: maxX + distance, maxY: maxY)
    }

    /// Whether it has a place in common with another box, be it on their edges.
    package func touches(_ other: WorldBox) -> Bool {
        maxX >= other.minX && minX <= other.maxX && maxY >= other.minY && minY <= other.maxY
    }

    /// Grows around another box, which may pass 1.
    public mutating func include(_ box: WorldBox) {
        guard !box.isEmpty else { return }
        include(WorldPoint(x: box.minX, y: box.minY))
        include(WorldPoint(x: box.maxX, y: box.maxY))
    }

    /// The narrowest box around the points on a world that wraps: it excludes the widest gap.
    ///
    /// Every `x` must lie in 0 … 1. The result starts in 0 ..< 1 and its `maxX` may pass 1.
    /// - Complexity: O(n log n).
    public init(wrapping points: [WorldPoint]) {
        self.init(around: points)
        guard points.count > 1 else { return }
        let xs = points.map(\.x).sorted()
        var widest = xs[0] + 1 - xs[xs.count - 1]
        for (west, east) in zip(xs, xs.dropFirst()) where east - west > widest {
            widest = east - west
            minX = east
            maxX = west + 1
        }
    }

    /// The smallest box around the points, without wrapping.
    public init(around points: [WorldPoint]) {
        self = .empty
        for point in points { include(point) }
    }

    /// The narrowest box around others on a world that wraps: it excludes the widest gap between
    /// them.
    ///
    /// Every box must start in 0 … 1, and may pass 1; so does the result.
    /// - Complexity: O(n log n).
    public init(wrapping boxes: [WorldBox]) {
        let boxes = boxes.filter { !$0.isEmpty }.sorted { $0.minX < $1.minX }
        self = .empty
        for box in boxes { include(box) }
        guard let first = boxes.first else { return }
        var widest = minX + 1 - maxX
        var reached = max(first.maxX, maxX - 1)
        for box in boxes.dropFirst() {
            if box.minX - reached > widest {
                widest = box.minX - reached
                minX = box.minX
                maxX = reached + 1
            }
            reached = max(reached, box.maxX)
        }
    }

    /// The box in degrees, with longitudes moved into −180 … 180.
    public var lonLatBox: LonLatBox {
        let northWest = WorldPoint(x: minX, y: minY).lonLat
        let southEast = WorldPoint(x: maxX, y: maxY).lonLat
        func wrapped(_ longitude: Double) -> Double {
            longitude > 180 ? longitude - 360 : longitude
        }
        guard maxX - minX < 1 else {
            return LonLatBox(
                west: -180, south: southEast.latitude, east: 180, north: northWest.latitude)
        }
        return LonLatBox(
            west: wrapped(northWest.longitude), south: southEast.latitude,
            east: wrapped(southEast.longitude), north: northWest.latitude)
    }
}
