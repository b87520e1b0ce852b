import Points

// Records in a list of changes that remove points.

extension PointBuilder {
    /// Ends a record that removes a point.
    mutating func endRemoval() {
        report.points += 1
        report.kept += 1
        end(with: .asked)
    }

    /// Ends a record whose point does not exist, or no longer.
    mutating func end(with removal: PointRemoval) {
        fault = nil
        if otherID != nil { addOtherID() }
        if !takenBack.isEmpty { removeTakenBack() }
        // Its position is not the input's, and must not be projected.
        project()
        batch.append(removal, id: id)
        projectedCount = batch.count
        forgetRecord()
    }
}
