import Geometry
import Points

// The range and the meaning of coordinates.

extension PointBuilder {
    /// Checks coordinates; they are projected when the piece is taken, all at once.
    @inline(__always)
    mutating func position(_ x: Double, _ y: Double) -> WorldPoint? {
        // Comparisons with NaN are false.
        if crs.kind == .lonLat, y.magnitude <= 90, x.magnitude <= Self.longitudeLimit {
            return WorldPoint(x: x, y: y)
        }
        return unusualPosition(x, y)
    }

    private mutating func unusualPosition(_ x: Double, _ y: Double) -> WorldPoint? {
        guard x.isFinite, y.isFinite else {
            refuse(.badCoordinates, "has the coordinates \(x), \(y), which are no finite numbers")
            return nil
        }
        switch crs.kind {
        case .lonLat where y.magnitude > 90:
            refuse(.latitudeOutOfRange, "has the latitude \(y), beyond ±90\(hint(x, y))")
        case .lonLat:
            refuse(.longitudeOutOfRange, "has the longitude \(x), beyond ±540\(hint(x, y))")
        case .webMercator where x.magnitude > Self.longitudeLimit / 360 * Self.circumference:
            refuse(.longitudeOutOfRange, "has the easting \(x), beyond any in Web Mercator")
        case .webMercator: return WorldPoint(x: x, y: y)
        case .other: return projected(x, y)
        }
        return nil
    }

    /// Whether a position is in the requested box, if there is one; otherwise the record is
    /// refused. Invalid positions are checked elsewhere.
    @inline(__always)
    mutating func isInBox(_ x: Double, _ y: Double) -> Bool {
        guard let box = options.box else { return true }
        if Self.contains(box, place(x, y)) { return true }
        refuseOutside()
        return false
    }

    private mutating func refuseOutside() {
        takesCare = true
        fault = (.outside, "lies outside of the box")
    }

    /// The positions (x, y, x, y, …) in the box; if there are none, the record is refused.
    mutating func positionsInBox(_ positions: [Double]) -> [Double] {
        guard let box = options.box else { return positions }
        var kept: [Double] = []
        for index in stride(from: 0, to: positions.count, by: 2) {
            let (x, y) = (positions[index], positions[index + 1])
            if Self.contains(box, place(x, y)) { kept += [x, y] }
        }
        if kept.isEmpty { refuseOutside() }
        return kept
    }

    private static func contains(_ box: LonLatBox, _ place: LonLat?) -> Bool {
        place.map { box.contains(longitude: $0.longitude, latitude: $0.latitude) } ?? true
    }

    /// Coordinates as degrees; nil for invalid ones.
    private mutating func place(_ x: Double, _ y: Double) -> LonLat? {
        guard x.isFinite, y.isFinite else { return nil }
        switch crs.kind {
        case .lonLat where y.magnitude > 90 || x.magnitude > Self.longitudeLimit: return nil
        case .lonLat: return LonLat(longitude: x, latitude: y)
        case .webMercator: return WorldPoint(webMercatorX: x, y: y).lonLat
        case .other:
            if projection == nil { try? openProjection() }
            guard let place = projection?.lonLat(x, y) else { return nil }
            return LonLat(longitude: place.longitude, latitude: place.latitude)
        }
    }

    /// Data that crosses the antimeridian may continue for half a turn, but not for more.
    private static let longitudeLimit = 540.0
    /// The world's circumference in metres of Web Mercator.
    private static let circumference = 40_075_016.685578488

    /// Converts the collected coordinates to positions.
    mutating func project() {
        let keepsEastEdge = options.keepsEastEdge
        func home(_ position: WorldPoint) -> WorldPoint {
            position.x == 1 && keepsEastEdge ? position : position.wrapped
        }
        // PROJ's results are already degrees.
        let isInDegrees = crs.kind != .webMercator
        batch.mapPositions(from: projectedCount) {
            home(
                isInDegrees
                    ? WorldPoint(LonLat(longitude: $0.x, latitude: $0.y))
                    : WorldPoint(webMercatorX: $0.x, y: $0.y))
        }
        projectedCount = batch.count
    }
}
