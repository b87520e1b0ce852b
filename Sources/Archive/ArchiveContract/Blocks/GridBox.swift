import Geometry

/// A box in steps of the grid; across the antimeridian, its east edge goes on past the world's width.
public struct GridBox: Hashable, Sendable {
    public var west: Int64
    public var north: Int64
    public var east: Int64
    public var south: Int64

    public init(west: Int64, north: Int64, east: Int64, south: Int64) {
        self.west = west
        self.north = north
        self.east = east
        self.south = south
    }

    /// A box with its edges rounded to whole steps; nil if it is empty.
    public init?(_ box: WorldBox) {
        guard !box.isEmpty else { return nil }
        func step(_ edge: Double) -> Int64 { Int64((edge * GridPoint.steps).rounded()) }
        self.init(
            west: step(box.minX), north: step(box.minY), east: step(box.maxX),
            south: step(box.maxY))
    }

    /// The smallest box around points, without wrapping; nil if there are none.
    public init?(around points: [GridPoint]) {
        guard let first = points.first else { return nil }
        self.init(
            west: Int64(first.x), north: Int64(first.y), east: Int64(first.x),
            south: Int64(first.y))
        for point in points {
            west = min(west, Int64(point.x))
            east = max(east, Int64(point.x))
            north = min(north, Int64(point.y))
            south = max(south, Int64(point.y))
        }
    }

    /// The box of no points.
    public static let nowhere = GridBox(west: 0, north: 0, east: 0, south: 0)

    public var worldBox: WorldBox {
        WorldBox(
            minX: Double(west) / GridPoint.steps, minY: Double(north) / GridPoint.steps,
            maxX: Double(east) / GridPoint.steps, maxY: Double(south) / GridPoint.steps)
    }

    /// Whether its edges are in order, and within the range of positions on the grid.
    var makesSense: Bool {
        let range = Int64(Int32.min)...Int64(Int32.max)
        return west <= east && north <= south
            && [west, north, east, south].allSatisfy(range.contains)
    }
}
