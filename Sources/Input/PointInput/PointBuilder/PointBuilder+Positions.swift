import Points

// The end of a record that has several positions.

extension PointBuilder {
    /// Ends the record: a point at each position (x, y, x, y, …), all with the same attributes but for their region.
    public mutating func end(positions: [Double]) {
        if options.pointsFrom == .outline { return endArea(positions) }
        guard !positions.isEmpty else { return reject(.noLocation, "has no positions") }
        let positions = positionsInBox(positions)
        guard !positions.isEmpty, finishAttributes() else { return turnAway() }
        let record = batch.unfinishedRecord
        let (count, regionCounts) = (batch.count, report.regionCounts)
        for index in stride(from: 0, to: positions.count, by: 2) {
            guard let position = position(positions[index], positions[index + 1]) else {
                batch.removePoints(from: count)
                report.regionCounts = regionCounts
                return turnAway()
            }
            if index > 0 { batch.records.append(packed: record) }
            if let regions = options.regions {
                addRegion(regions, at: positions[index], positions[index + 1])
            }
            batch.append(position, weight: weight, id: id)
        }
        report.points += positions.count / 2
        report.kept += 1
    }
}
