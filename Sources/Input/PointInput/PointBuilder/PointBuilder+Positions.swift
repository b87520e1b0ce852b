import Geometry
import Points

// The end of a record with several positions.

extension PointBuilder {
    /// Ends the record with a point at each position (x, y, x, y, …), all with the same attributes except their region.
    public mutating func end(positions: [Double]) {
        if positions.count == 2 { return end(x: positions[0], y: positions[1]) }
        if options.pointsFrom == .outline { return endArea(positions) }
        guard !positions.isEmpty else { return reject(.noLocation, "has no positions") }
        // A change concerns one point, which has one key.
        if options.removalMark != nil {
            return reject(
                .badCoordinates, "has several positions, but a change applies to one point")
        }
        let positions = positionsInBox(positions)
        guard !positions.isEmpty, finishAttributes() else { return turnAway() }
        var places: [WorldPoint] = []
        for index in stride(from: 0, to: positions.count, by: 2) {
            guard let place = position(positions[index], positions[index + 1]) else {
                return turnAway()
            }
            places.append(place)
        }
        let record = batch.unfinishedRecord
        for (index, place) in places.enumerated() {
            if index > 0 { batch.records.append(packed: record) }
            if let region { addRegion(region, at: place) }
            batch.append(place, weight: weight, id: id)
        }
        report.points += places.count
        report.kept += 1
    }
}
