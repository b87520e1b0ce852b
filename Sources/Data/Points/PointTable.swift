import Geometry

/// A table of points, as the rest of Covey uses them: one row a point, one column for each property.
public struct PointTable: Sendable {
    /// The id of a point without one.
    public static let noID = UInt64.max

    /// Web Mercator in the unit square, with `xs` in 0 ..< 1; 1 is the east edge of a world that
    /// does not wrap.
    public private(set) var xs = Column<Double>()
    public private(set) var ys = Column<Double>()

    /// The weights, if any differs from 1.
    public private(set) var weights: Column<Double>?
    /// The feature ids, if any point has one; `noID` if a point has none.
    public private(set) var ids: Column<UInt64>?
    public private(set) var attributes: AttributeTable

    public init(keys: AttributeKeys = AttributeKeys()) {
        attributes = AttributeTable(keys: keys)
    }

    /// Makes a table of existing columns.
    /// - Precondition: all columns have the same length.
    public init(
        xs: Column<Double>, ys: Column<Double>, weights: Column<Double>?, ids: Column<UInt64>?,
        attributes: AttributeTable
    ) {
        precondition(ys.count == xs.count && attributes.count == xs.count)
        precondition((weights?.count ?? xs.count, ids?.count ?? xs.count) == (xs.count, xs.count))
        self.xs = xs
        self.ys = ys
        self.weights = weights
        self.ids = ids
        self.attributes = attributes
    }

    public var count: Int { xs.count }

    /// Why a row removes a point, as it may in a list of changes; nil if the row is a point.
    public func removal(at row: Int) -> PointRemoval? {
        weights.flatMap { PointRemoval(rawValue: $0[row]) }
    }

    /// The memory of the table.
    public var byteCount: Int {
        8 * (xs.count + ys.count + (weights?.count ?? 0) + (ids?.count ?? 0)) + attributes.byteCount
    }

    public func position(of row: Int) -> WorldPoint { WorldPoint(x: xs[row], y: ys[row]) }

    /// Appends the points of a batch whose records were packed with this table's keys.
    public mutating func append(_ batch: borrowing PointBatch) {
        let rows = batch.rows.span
        if weights == nil, !batch.weights.isEmpty { weights = Column(repeating: 1, count: count) }
        if ids == nil, batch.hasIDs { ids = Column(repeating: Self.noID, count: count) }
        if batch.weights.isEmpty {
            weights?.append(count: rows.count) { _ in 1 }
        } else {
            weights?.append(contentsOf: batch.weights.span)
        }
        ids?.append(count: rows.count) { rows[$0].id }
        xs.append(count: rows.count) { rows[$0].x }
        ys.append(count: rows.count) { rows[$0].y }
        attributes.append(batch.records.span, count: rows.count) { rows[$0].recordEnd }
    }

    /// Appends the points of a table with the same keys.
    public mutating func append(_ other: PointTable) {
        if weights == nil, other.weights != nil { weights = Column(repeating: 1, count: count) }
        if ids == nil, other.ids != nil { ids = Column(repeating: Self.noID, count: count) }
        if let more = other.weights {
            weights?.append(contentsOf: more.span)
        } else {
            weights?.append(count: other.count) { _ in 1 }
        }
        if let more = other.ids {
            ids?.append(contentsOf: more.span)
        } else {
            ids?.append(count: other.count) { _ in Self.noID }
        }
        xs.append(contentsOf: other.xs.span)
        ys.append(contentsOf: other.ys.span)
        attributes.append(other.attributes)
    }

    /// Appends the points in some rows of a table with the same keys.
    public mutating func append(_ rows: Span<UInt32>, of other: PointTable) {
        weights.append(rows, of: other.weights, after: count, usually: 1)
        ids.append(rows, of: other.ids, after: count, usually: Self.noID)
        let (xs, ys) = (other.xs.span, other.ys.span)
        self.xs.append(count: rows.count) { xs[Int(rows[$0])] }
        self.ys.append(count: rows.count) { ys[Int(rows[$0])] }
        attributes.append(rows, of: other.attributes)
    }

    /// Sets each point's id to its row.
    public mutating func numberPoints() { numberPoints(Column(0..<UInt64(count))) }

    /// Sets the ids of all points.
    /// - Precondition: there is one number for each point.
    public mutating func numberPoints(_ numbers: Column<UInt64>) {
        precondition(numbers.count == count)
        ids = numbers
    }

    /// Removes the last points until `count` are left.
    public mutating func truncate(to count: Int) {
        xs.truncate(to: count)
        ys.truncate(to: count)
        weights?.truncate(to: count)
        ids?.truncate(to: count)
        attributes.truncate(to: count)
    }
}

/// Why a row in a list of changes removes a point. The raw value is its weight, as points weigh more than 0.
public enum PointRemoval: Double, Sendable {
    /// The list removes it.
    case asked = 0
    /// Its new state is excluded, by a filter or because it has no position.
    case leftOut = -1
}

extension Optional {
    /// Appends some rows of another column to one that exists only if a value is not the usual one.
    /// - Parameter count: how many values the column has, or would have.
    fileprivate mutating func append<Value: Equatable>(
        _ rows: Span<UInt32>, of other: Column<Value>?, after count: Int, usually usual: Value
    ) where Wrapped == Column<Value> {
        guard let other else {
            self?.append(count: rows.count) { _ in usual }
            return
        }
        let values = other.span
        if self == nil {
            guard rows.indices.contains(where: { values[Int(rows[$0])] != usual }) else { return }
            self = Column(repeating: usual, count: count)
        }
        self?.append(count: rows.count) { values[Int(rows[$0])] }
    }
}
