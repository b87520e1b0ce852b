/// A tile of the XYZ scheme: column `x` counts from the west, row `y` from the north.
public struct TileID: Hashable, Sendable {
    /// The deepest zoom at which columns and rows fit 32 bits and Hilbert ids fit 64.
    public static let deepestZoom: UInt8 = 31

    public let z: UInt8
    public let x: UInt32
    public let y: UInt32

    /// - Precondition: `z` is at most 31 and the column and row exist at that zoom.
    @inlinable
    public init(z: UInt8, x: UInt32, y: UInt32) {
        precondition(z <= 31 && x >> z == 0 && y >> z == 0, "no such tile")
        self.z = z
        self.x = x
        self.y = y
    }

    /// The tile with these numbers, which come from outside; nil if it does not exist.
    public init?(zoom z: Int, column x: Int, row y: Int) {
        guard (0...31).contains(z), x >= 0, y >= 0, x < 1 << z, y < 1 << z else { return nil }
        self.init(z: UInt8(z), x: UInt32(x), y: UInt32(y))
    }

    /// The tile with these TMS numbers (rows count from the south); nil if it does not exist.
    public init?(zoom z: Int, column x: Int, tmsRow: Int) {
        guard (0...31).contains(z), tmsRow >= 0, tmsRow < 1 << z else { return nil }
        self.init(zoom: z, column: x, row: (1 << z) - 1 - tmsRow)
    }

    /// The tile at `zoom` that contains `point`; points on the far edges of the world belong to its last tiles.
    @inlinable
    public init(holding point: WorldPoint, zoom: UInt8) {
        let size = Double(UInt64(1) << UInt64(zoom))
        let last = size - 1
        self.init(
            z: zoom,
            x: UInt32(min(max((point.x * size).rounded(.down), 0), last)),
            y: UInt32(min(max((point.y * size).rounded(.down), 0), last)))
    }

    /// The tile's area in the unit square.
    public var square: WorldBox {
        WorldBox(
            minX: origin.x, minY: origin.y, maxX: origin.x + width, maxY: origin.y + width)
    }

    /// Whether it is inside another tile, or is the same.
    public func isWithin(_ other: TileID) -> Bool {
        guard z >= other.z else { return false }
        let shift = UInt32(z - other.z)
        return x >> shift == other.x && y >> shift == other.y
    }

    /// The row as TMS, and so MBTiles, counts it: from the south.
    @inlinable
    public var tmsRow: UInt32 { UInt32((UInt64(1) << UInt64(z)) - 1 - UInt64(y)) }

    public var parent: TileID? {
        z == 0 ? nil : TileID(z: z - 1, x: x >> 1, y: y >> 1)
    }

    /// The north-west corner in the unit square.
    @inlinable
    public var origin: WorldPoint {
        WorldPoint(x: Double(x) * width, y: Double(y) * width)
    }

    /// The side of the tile as a share of the world's.
    @inlinable
    public var width: Double { 1 / Double(UInt64(1) << UInt64(z)) }

    /// The tile's area in degrees.
    public var box: LonLatBox {
        let northWest = origin.lonLat
        let southEast = WorldPoint(x: origin.x + width, y: origin.y + width).lonLat
        return LonLatBox(
            west: northWest.longitude, south: southEast.latitude,
            east: southEast.longitude, north: northWest.latitude)
    }
}

extension TileID: CustomStringConvertible {
    public var description: String { "\(z)/\(x)/\(y)" }
}

extension TileID: Comparable {
    /// Shallow zooms first, then along the Hilbert curve.
    public static func < (a: TileID, b: TileID) -> Bool { a.hilbertID < b.hilbertID }
}
