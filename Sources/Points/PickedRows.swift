/// Rows of a table in an order of their own, on their way into another table.
public struct PickedRows: Sendable {
    fileprivate var xs: [Double] = []
    fileprivate var ys: [Double] = []
    fileprivate var weights: [Double] = []
    fileprivate var ids: [UInt64] = []
    fileprivate var records: [UInt8] = []
    fileprivate var recordEnds: [UInt32] = []

    public var count: Int { xs.count }
}

extension PointTable {
    /// Copies the rows with these numbers.
    public func picking(_ rows: Span<UInt32>) -> PickedRows {
        var picked = PickedRows()
        picked.xs = Self.pick(rows, from: xs)
        picked.ys = Self.pick(rows, from: ys)
        picked.weights = weights.map { Self.pick(rows, from: $0) } ?? []
        picked.ids = ids.map { Self.pick(rows, from: $0) } ?? []
        (picked.records, picked.recordEnds) = attributes.copyRecords(of: rows)
        return picked
    }

    /// Appends rows that were picked from a table with the same keys and columns.
    public mutating func append(_ picked: consuming PickedRows) {
        if !picked.weights.isEmpty { Self.append(picked.weights, to: &weights, after: count) }
        if !picked.ids.isEmpty { Self.append(picked.ids, to: &ids, after: count) }
        xs.append(contentsOf: picked.xs.span)
        ys.append(contentsOf: picked.ys.span)
        attributes.append(picked.records, ends: picked.recordEnds.span)
    }

    private static func append<Element: BitwiseCopyable & Sendable>(
        _ values: [Element], to column: inout Column<Element>?, after count: Int
    ) {
        if column == nil { column = Column() }
        precondition(column?.count == count, "the rows come from a table of other columns")
        column?.append(contentsOf: values.span)
    }

    private static func pick<Element: BitwiseCopyable & Sendable>(
        _ rows: Span<UInt32>, from column: Column<Element>
    ) -> [Element] {
        var picked: [Element] = []
        picked.reserveCapacity(rows.count)
        let values = column.span
        for index in rows.indices { picked.append(values[Int(rows[index])]) }
        return picked
    }
}

extension AttributeTable {
    /// The records of these rows one after another, in exactly the memory that they need, and where
    /// each ends.
    fileprivate func copyRecords(of rows: Span<UInt32>) -> ([UInt8], ends: [UInt32]) {
        var ends: [UInt32] = []
        ends.reserveCapacity(rows.count)
        var size: UInt32 = 0
        for index in rows.indices {
            size += UInt32(self[Int(rows[index])].bytes.count)
            ends.append(size)
        }
        var records: [UInt8] = []
        records.reserveCapacity(Int(size))
        for index in rows.indices {
            unsafe self[Int(rows[index])].bytes.withUnsafeBufferPointer {
                unsafe records.append(contentsOf: $0)
            }
        }
        return (records, ends)
    }
}
