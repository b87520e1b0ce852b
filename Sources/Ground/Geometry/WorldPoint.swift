import CLibrary

/// A position in Web Mercator scaled to the unit square: x runs east, y runs south.
public struct WorldPoint: Hashable, Sendable {
    public var x: Double
    public var y: Double

    @inlinable
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    @inlinable
    public func squaredDistance(to other: WorldPoint) -> Double {
        let dx = x - other.x
        let dy = y - other.y
        return dx * dx + dy * dy
    }
}

extension WorldPoint {
    /// The latitude at which Web Mercator's world becomes a square.
    public static let maximumLatitude = 85.0511287798066

    /// Projects degrees; latitudes past the square's edge are moved to the edge.
    public init(_ lonLat: LonLat) {
        let latitude = min(max(lonLat.latitude, -Self.maximumLatitude), Self.maximumLatitude)
        let sine = sin(latitude * .pi / 180)
        let y = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi
        self.init(x: lonLat.longitude / 360 + 0.5, y: min(max(y, 0), 1))
    }

    /// Projects metres of EPSG:3857.
    public init(webMercatorX x: Double, y: Double) {
        let circumference = 2 * Double.pi * 6_378_137
        self.init(x: x / circumference + 0.5, y: min(max(0.5 - y / circumference, 0), 1))
    }

    /// The same position in degrees; longitude is not wrapped.
    public var lonLat: LonLat {
        let radians = (0.5 - y) * 2 * Double.pi
        return LonLat(
            longitude: (x - 0.5) * 360,
            latitude: atan(sinh(radians)) * 180 / .pi)
    }

    /// The same position with `x` moved into 0 ..< 1.
    @inlinable
    public var wrapped: WorldPoint {
        if x >= 0 && x < 1 { return self }
        let fraction = x - x.rounded(.down)
        // A tiny negative x rounds up to exactly 1, which is the same meridian as 0.
        return WorldPoint(x: fraction < 1 ? fraction : 0, y: y)
    }
}
