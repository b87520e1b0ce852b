import Points

// Regions: points get the name of the one that they lie in, and areas become regions.

extension PointBuilder {
    /// Adds the region of a point to the record; an attribute of that name that the record has goes.
    ///
    /// The filter has seen the record by now.
    mutating func addRegion(_ regions: Regions, at x: Double, _ y: Double) {
        let key = keys.intern(Regions.attribute)
        if plans.contains(where: { $0.key == key }) {
            let before = batch.unfinishedByteCount
            batch.removeAttributes { other, _ in other == key }
            if batch.unfinishedByteCount < before {
                note(
                    "an attribute \(Regions.attribute) of its own gives way to the region that points lie in; "
                        + "--exclude \(Regions.attribute) leaves it out")
            }
        }
        let found = place(x, y).flatMap {
            regions.index(longitude: $0.longitude, latitude: $0.latitude)
        }
        report.countRegion(found, of: regions.names.count)
        if let found { batch.records.append(key, text: regions.names[found]) }
    }

    /// Ends the record: an area, of whose rings each begins with an infinite position.
    mutating func endArea(_ positions: [Double]) {
        var rings: [[FixedPlace]] = []
        var first: (x: Double, y: Double)?
        for index in stride(from: 0, to: positions.count, by: 2) {
            let (x, y) = (positions[index], positions[index + 1])
            if x == .infinity, y == .infinity {
                rings.append([])
                continue
            }
            guard position(x, y) != nil, let place = place(x, y), !rings.isEmpty else {
                return turnAway()
            }
            first = first ?? (x, y)
            rings[rings.count - 1].append(
                FixedPlace(longitude: place.longitude, latitude: place.latitude))
        }
        guard let first, finishAttributes(), let position = position(first.x, first.y) else {
            return reject(.notAPoint, "is no area; regions are polygons")
        }
        batch.append(position)
        report.outlines.append(rings)
        report.points += 1
        report.kept += 1
    }
}
