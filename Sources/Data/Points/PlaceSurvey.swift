import Geometry

/// A summary of the points' positions that reveals unlikely ones. It does not depend on their order or division.
public struct PlaceSurvey: Sendable {
    private static let bins = 360

    public private(set) var count = 0
    /// Points where longitude and latitude are 0.
    public private(set) var atOrigin = 0
    /// Points at the edges of the map, to which those nearer to the poles are moved.
    public private(set) var atPoleEdges = 0
    private var box = (west: 2.0, east: -1.0, north: 2.0, south: -1.0)
    /// The number of points in each stripe of the world: a degree of longitude, and as much from north to south.
    private var columns: [Int32] = []
    private var rows: [Int32] = []

    public init() {}

    public init(of batch: borrowing PointBatch) {
        let points = batch.rows.span
        count = points.count
        var (columns, rows) = (
            [Int32](repeating: 0, count: Self.bins), [Int32](repeating: 0, count: Self.bins)
        )
        // Local variables make it cost a few steps for each point.
        var (west, east, north, south) = box
        var (origins, edges) = (0, 0)
        var columnSpan = columns.mutableSpan
        var rowSpan = rows.mutableSpan
        for index in points.indices {
            let (x, y) = (points[index].x, points[index].y)
            if x < west { west = x }
            if x > east { east = x }
            if y < north { north = y }
            if y > south { south = y }
            let (column, row) = (Self.bin(x), Self.bin(y))
            columnSpan[column] &+= 1
            rowSpan[row] &+= 1
            // Few points need the second check.
            if column == Self.bins / 2 || column == Self.bins / 2 - 1, Self.isOrigin(x, y) {
                origins += 1
            }
            if row == 0 || row == Self.bins - 1, y <= 0 || y >= 1 { edges += 1 }
        }
        (self.columns, self.rows) = (columns, rows)
        (box, atOrigin, atPoleEdges) = ((west, east, north, south), origins, edges)
    }

    @inline(__always)
    private static func bin(_ part: Double) -> Int {
        // Positions outside the world may exceed any integer. This form is cheaper than min and max.
        guard part >= 0 else { return 0 }
        return part < 1 ? Int(part * Double(bins)) : bins - 1
    }

    private static func isOrigin(_ x: Double, _ y: Double) -> Bool {
        abs(x - 0.5) < 1e-12 && abs(y - 0.5) < 1e-12
    }

    public mutating func add(_ other: PlaceSurvey) {
        guard other.count > 0 else { return }
        guard count > 0 else { return self = other }
        count += other.count
        atOrigin += other.atOrigin
        atPoleEdges += other.atPoleEdges
        box.west = min(box.west, other.box.west)
        box.east = max(box.east, other.box.east)
        box.north = min(box.north, other.box.north)
        box.south = max(box.south, other.box.south)
        for bin in 0..<Self.bins {
            columns[bin] &+= other.columns[bin]
            rows[bin] &+= other.rows[bin]
        }
    }

    /// Whether all points have the same longitude or latitude; false for two points or fewer.
    public var isOnOneLine: Bool { count > 2 && (box.west == box.east || box.north == box.south) }
    public var isAtOnePlace: Bool { isOnOneLine && box.west == box.east && box.north == box.south }

    /// Whether no longitude is beyond ±90.
    public var longitudesMayBeLatitudes: Bool { box.west >= 0.25 && box.east <= 0.75 }

    /// The number of points that are far from nearly all others: 3 % at most. Nil for few points.
    public var farCount: Int? {
        guard count >= 100 else { return nil }
        let far = max(Self.farCount(columns, of: count), Self.farCount(rows, of: count))
        return far > 0 ? far : nil
    }

    /// The number of points far outside the narrowest band of stripes that has 97 % of all.
    private static func farCount(_ stripes: [Int32], of count: Int) -> Int {
        let wanted = count - count * 3 / 100
        var (best, start, sum) = (0..<stripes.count, 0, 0)
        for end in stripes.indices {
            sum += Int(stripes[end])
            while sum - Int(stripes[start]) >= wanted {
                sum -= Int(stripes[start])
                start += 1
            }
            if sum >= wanted, end + 1 - start < best.count { best = start..<end + 1 }
        }
        let margin = 2 * best.count + 5
        let near = max(0, best.lowerBound - margin)..<min(stripes.count, best.upperBound + margin)
        return count - stripes[near].reduce(0) { $0 + Int($1) }
    }
}
