import Points

// Records of changes that stand for points which go.

extension PointBuilder {
    /// Ends a record that takes a point away.
    mutating func endRemoval() {
        report.points += 1
        report.kept += 1
        end(with: .asked)
    }

    /// Ends a record whose point is not there, or no longer.
    mutating func end(with removal: PointRemoval) {
        fault = nil
        if otherID != nil { addOtherID() }
        if !takenBack.isEmpty { removeTakenBack() }
        // Its place is none of the input's, and is not to be projected.
        project()
        batch.append(removal, id: id)
        projectedCount = batch.count
        forgetRecord()
    }
}
