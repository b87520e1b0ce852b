import Points

/// How many points of a part are put in order and written at a time: so many, or as many as have records of so many bytes.
///
/// Which points make a run follows from the input alone, so parts of the same input are the same.
struct PointRuns {
    var rows = 1 << 19
    var bytes = 1 << 26

    /// The first of some rows, or of all, that make a run; nil if they are too few.
    func first(of table: PointTable, in range: Range<Int>? = nil) -> Range<Int>? {
        let rows = (range ?? 0..<table.count).prefix(self.rows)
        let isLong = rows.count == self.rows
        // To add up the lengths of all records takes time.
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
    /// Some of the points, which follow one another.
    func slice(_ rows: Range<Int>) -> PointTable {
        if rows.count == count { return self }
        var slice = PointTable(keys: attributes.keys)
        let numbers = Column(UInt32(rows.lowerBound)..<UInt32(rows.upperBound))
        if !rows.isEmpty { slice.append(PointBatch(numbers.span, of: self)) }
        return slice
    }
}
