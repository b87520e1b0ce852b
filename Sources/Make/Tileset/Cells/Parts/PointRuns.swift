import Points

/// How many points of a part are sorted and written at a time: a number of them, or as many as reach a size of records.
///
/// Where a run ends depends on the input alone, so parts of the same input are the same.
struct PointRuns {
    var rows = 1 << 19
    var bytes = 1 << 26

    /// The first rows, of a range or of all, that make a run; nil if they are too few.
    func first(of table: PointTable, in range: Range<Int>? = nil) -> Range<Int>? {
        let rows = (range ?? 0..<table.count).prefix(self.rows)
        let isLong = rows.count == self.rows
        // Adding up the lengths of all records takes time.
        guard table.attributes.recordBytes > bytes else {
            return isLong ? rows : nil
        }
        var (sum, end) = (0, rows.lowerBound)
        while end < rows.upperBound, sum < bytes {
            sum += table.attributes[end].bytes.count
            end += 1
        }
        return isLong || sum >= bytes ? rows.lowerBound..<end : nil
    }
}

extension PointTable {
    /// Some consecutive points.
    func slice(_ rows: Range<Int>) -> PointTable {
        if rows.count == count { return self }
        var slice = PointTable(keys: attributes.keys)
        slice.append(Array(UInt32(rows.lowerBound)..<UInt32(rows.upperBound)), of: self)
        return slice
    }

    /// Appends some points of another table, or all of them.
    mutating func append(_ rows: [UInt32], of points: PointTable) {
        guard rows.count < points.count else { return append(points) }
        append(rows.span, of: points)
    }
}
