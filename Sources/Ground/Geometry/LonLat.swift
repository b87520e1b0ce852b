/// A position in degrees, as people and GeoJSON write it.
public struct LonLat: Hashable, Sendable {
    public var longitude: Double
    public var latitude: Double

    @inlinable
    public init(longitude: Double, latitude: Double) {
        self.longitude = longitude
        self.latitude = latitude
    }
}
