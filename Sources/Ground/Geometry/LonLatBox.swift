/// A box in degrees; it crosses the antimeridian if `west > east`.
public struct LonLatBox: Hashable, Sendable {
    public var west: Double
    public var south: Double
    public var east: Double
    public var north: Double

    public init(west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// The area that Web Mercator shows.
    public static let world = LonLatBox(
        west: -180, south: -WorldPoint.maximumLatitude,
        east: 180, north: WorldPoint.maximumLatitude)

    public var crossesAntimeridian: Bool { west > east }

    /// The width in degrees of longitude.
    public var width: Double { crossesAntimeridian ? east - west + 360 : east - west }

    public var center: LonLat {
        let middle = west + width / 2
        return LonLat(
            longitude: middle > 180 ? middle - 360 : middle, latitude: (south + north) / 2)
    }

    /// The same box with its edges between −180 and 180, as maps that were moved around the world give it.
    package var wrapped: LonLatBox {
        guard abs(west) > 180 || abs(east) > 180 else { return self }
        var box = self
        (box.west, box.east) =
            width >= 360 ? (-180, 180) : (Self.home(west), Self.home(east))
        return box
    }

    public func contains(_ position: LonLat) -> Bool {
        guard position.latitude >= south && position.latitude <= north else { return false }
        return crossesAntimeridian
            ? position.longitude >= west || position.longitude <= east
            : position.longitude >= west && position.longitude <= east
    }
}
