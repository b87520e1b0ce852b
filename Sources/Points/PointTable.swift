import Geometry

/// Points as the rest of Covey sees them: a row a point, a column a property of all points.
public struct PointTable: Sendable {
    /// The id of a point that has none.
    public static let noID = UInt64.max

    /// Web Mercator in the unit square, `xs` in 0 ..< 1.
    public internal(set) var xs = Column<Double>()
    public internal(set) var ys = Column<Double>()

    /// Weights, where any differs from 1.
    public internal(set) var weights: Column<Double>?
    /// Feature ids, where any point has one; `noID` stands for none.
    public internal(set) var ids: Column<UInt64>?
    public internal(set) var attributes: AttributeTable

    public init(keys: AttributeKeys = AttributeKeys()) {
        attributes = AttributeTable(keys: keys)
    }

    public var count: Int { xs.count }

    /// How much memory the table takes.
    public var byteCount: Int {
        8 * (xs.count + ys.count + (weights?.count ?? 0) + (ids?.count ?? 0)) + attributes.byteCount
    }

    public func place(of row: Int) -> WorldPoint { WorldPoint(x: xs[row], y: ys[row]) }

    /// Appends the points of a batch whose records were packed with this table's keys.
    public mutating func append(_ batch: consuming PointBatch) {
        Self.append(batch.weights, to: &weights, filler: 1, after: count)
        Self.append(batch.ids, to: &ids, filler: Self.noID, after: count)
        xs.append(contentsOf: batch.xs.span)
        ys.append(contentsOf: batch.ys.span)
        attributes.append(batch.records.bytes, ends: batch.recordEnds.span)
    }

    /// Removes the last points until `count` are left.
    public mutating func truncate(to count: Int) {
        xs.truncate(to: count)
        ys.truncate(to: count)
        weights?.truncate(to: count)
        ids?.truncate(to: count)
        attributes.truncate(to: count)
    }

    /// Appends to a column that comes into being with the first value that isn't the filler.
    private static func append<Element: Equatable & BitwiseCopyable & Sendable>(
        _ values: [Element], to column: inout Column<Element>?, filler: Element, after count: Int
    ) {
        if column == nil {
            guard values.contains(where: { $0 != filler }) else { return }
            column = Column(repeating: filler, count: count)
        }
        column?.append(contentsOf: values.span)
    }
}
