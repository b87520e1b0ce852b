import Geometry

/// Ground on which every point is known: a box of the world with a margin around it.
///
/// Nothing lies beyond the world's own edges, so that ground is known as well. A world that wraps has no edge in
/// the east and west.
public struct KnownGround: Sendable {
    private let wraps: Bool
    /// The edges of the ground; infinite in a direction in which nothing is unknown.
    private let west: Double
    private let east: Double
    private let north: Double
    private let south: Double
    /// The distance from the box to unknown ground; infinite if there is none.
    let margin: Double

    /// A square with a margin around it.
    public init(_ square: TileID, margin: Double, wraps: Bool) {
        self.init(square.square, margin: margin, wraps: wraps)
    }

    /// - Parameter box: within the unit square.
    init(_ box: WorldBox, margin: Double, wraps: Bool) {
        self.wraps = wraps
        func end(_ edge: Double, isOpen: Bool, _ sign: Double) -> Double {
            isOpen ? edge : sign * .infinity
        }
        north = end(box.minY - margin, isOpen: box.minY - margin > 0, -1)
        south = end(box.maxY + margin, isOpen: box.maxY + margin < 1, 1)
        if wraps {
            let isOpen = box.maxX - box.minX + 2 * margin < 1
            west = end(box.minX - margin, isOpen: isOpen, -1)
            east = end(box.maxX + margin, isOpen: isOpen, 1)
        } else {
            west = end(box.minX - margin, isOpen: box.minX - margin > 0, -1)
            east = end(box.maxX + margin, isOpen: box.maxX + margin < 1, 1)
        }
        let isWhole = [west, east, north, south].allSatisfy(\.isInfinite)
        self.margin = isWhole ? .infinity : margin
    }

    /// Whether no point of the world is unknown.
    var isWhole: Bool { margin.isInfinite }

    /// How far inside the ground a position lies; below 0 outside.
    @inline(__always)
    func depth(_ x: Double, _ y: Double) -> Double {
        let depth = min(y - north, south - y)
        guard wraps else { return min(depth, x - west, east - x) }
        guard west.isFinite else { return depth }
        let offset = x - west
        let east = offset - offset.rounded(.down)
        return min(depth, east, self.east - west - east)
    }

    public func contains(_ x: Double, _ y: Double) -> Bool { depth(x, y) >= 0 }

    /// Whether a whole box lies inside, at least `slack` away from unknown ground.
    func holds(_ xs: ClosedRange<Double>, _ ys: ClosedRange<Double>, slack: Double) -> Bool {
        guard min(ys.lowerBound - north, south - ys.upperBound) >= slack else { return false }
        guard wraps else { return min(xs.lowerBound - west, east - xs.upperBound) >= slack }
        guard west.isFinite else { return true }
        let offset = xs.lowerBound - west
        let start = offset - offset.rounded(.down)
        return start >= slack && start + (xs.upperBound - xs.lowerBound) + slack <= east - west
    }
}
