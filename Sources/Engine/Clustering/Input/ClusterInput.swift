import Geometry
import ParallelColumns
import Points

/// The points of one hierarchy: rows of a table, their positions moved into the unit square.
struct ClusterInput: Sendable {
    let table: PointTable
    /// The rows of the table that are points of this hierarchy; nil for all.
    let subset: Column<UInt32>?
    let x: SharedColumn<Double>
    let y: SharedColumn<Double>
    let options: ClusterOptions
    /// The points that stand for clusters, if any do.
    let given: GivenClusters?
    /// The zooms from which points take part, if that is not the deepest for all.
    let entryZooms: EntryZooms?
    /// Memory that lives as long as the hierarchy is being built.
    let arena: Arena

    var count: Int { x.count }

    init(
        _ table: PointTable, subset: Column<UInt32>?, options: ClusterOptions, arena: Arena,
        given: GivenClusters? = nil, entering entryZooms: EntryZooms? = nil
    ) throws(ClusteringError) {
        let count = subset?.count ?? table.count
        guard count < Int(Int32.max) else { throw .tooManyPoints(count) }
        self.table = table
        self.subset = subset
        self.options = options
        self.given = given
        self.entryZooms = entryZooms.flatMap { $0.usual < options.maxZoom ? $0 : nil }
        self.arena = arena
        if subset == nil, Self.lieInTheSquare(table) {
            x = SharedColumn(viewing: table.xs)
            y = SharedColumn(viewing: table.ys)
        } else {
            x = SharedColumn(count: count, in: arena)
            y = SharedColumn(count: count, in: arena)
            try readPositions()
        }
        if options.weighted { try checkWeights() }
    }

    /// The table's row of a point.
    @inline(__always)
    func row(_ point: UInt32) -> Int { Int(subset?[Int(point)] ?? point) }

    func weight(_ point: UInt32) -> Double { table.weights?[row(point)] ?? 1 }

    /// Whether all positions can be used as they are, so that they need not be copied.
    private static func lieInTheSquare(_ table: PointTable) -> Bool {
        // The bits of numbers from 0 on sort as the numbers do; negative zero, and what is negative,
        // infinite or no number comes after them.
        let end = (1.0).bitPattern
        let (xs, ys) = (table.xs.span, table.ys.span)
        for row in 0..<table.count
        where xs[row].bitPattern >= end || ys[row].bitPattern > end { return false }
        return true
    }

    private func readPositions() throws(ClusteringError) {
        let (xs, ys) = (table.xs, table.ys)
        for point in 0..<count {
            let row = row(UInt32(truncatingIfNeeded: point))
            let (east, south) = (xs[row], ys[row])
            guard east.isFinite, south.isFinite else { throw .coordinateNotFinite(row: row) }
            let place = Self.place(WorldPoint(x: east, y: south), wraps: options.wrap)
            x[point] = place.x
            y[point] = place.y
        }
    }

    /// A position moved into the unit square.
    static func place(_ position: WorldPoint, wraps: Bool) -> WorldPoint {
        // On a flat world, 1 is the eastern edge, not the western one.
        let x = position.x == 1 && !wraps ? position.x : position.wrapped.x
        // Adding 0 turns a negative zero into zero, so that equal positions have equal bits.
        return WorldPoint(x: x + 0, y: min(max(position.y, 0), 1) + 0)
    }

    private func checkWeights() throws(ClusteringError) {
        guard let weights = table.weights else { return }
        var sum = 0.0
        for point in 0..<count {
            let row = row(UInt32(truncatingIfNeeded: point))
            let weight = weights[row]
            guard weight >= 0, weight.isFinite else {
                throw .weightNotUsable(row: row, weight: weight)
            }
            sum += weight
        }
        guard sum.isFinite else { throw .weightsTooLarge }
    }
}
