import Geometry
import Points

// Regions: points get the name of the region that contains them, and areas become regions.

extension PointBuilder {
    /// Adds a point's region to the record; it replaces an attribute with the same name.
    ///
    /// The filter has been evaluated by now.
    mutating func addRegion(
        _ region: (areas: Regions, key: AttributeKey), at position: WorldPoint
    ) {
        if removeOwn(region.key) { report.givenWay[Regions.attribute, default: 0] += 1 }
        let found = region.areas.index(of: degrees(position))
        report.countRegion(found, of: region.areas.names.count)
        if let found { batch.records.append(region.key, text: region.areas.names[found]) }
    }

    /// A checked position in degrees, before it is projected.
    private func degrees(_ position: WorldPoint) -> LonLat {
        crs.kind == .webMercator
            ? WorldPoint(webMercatorX: position.x, y: position.y).lonLat
            : LonLat(longitude: position.x, latitude: position.y)
    }

    /// Ends the record of an area, each of whose rings begins with an infinite position.
    mutating func endArea(_ positions: [Double]) {
        var rings: [[FixedPlace]] = []
        var first: WorldPoint?
        for index in stride(from: 0, to: positions.count, by: 2) {
            let (x, y) = (positions[index], positions[index + 1])
            if x == .infinity {
                rings.append([])
                continue
            }
            guard let position = position(x, y) else { return turnAway() }
            // Points have no rings.
            guard !rings.isEmpty else { break }
            first = first ?? position
            rings[rings.count - 1].append(FixedPlace(degrees(position)))
        }
        guard let first, finishAttributes() else {
            return reject(.notAPoint, "is no area; regions are polygons")
        }
        batch.append(first)
        report.outlines.append(rings)
        report.points += 1
        report.kept += 1
    }
}
