import Geometry
import Points

/// Everything that is ever drawn, each point and cluster once, along the Hilbert curve.
///
/// A node is known by a number: leaf numbers first, then clusters in the order of their ids. It is
/// drawn at the zooms `shallowest ... deepest`.
package struct TileNodes: Sendable {
    package private(set) var xs: Column<UInt32>
    package private(set) var ys: Column<UInt32>
    package private(set) var numbers: Column<UInt32>
    package private(set) var shallowest: Column<UInt8>
    package private(set) var deepest: Column<UInt8>

    package var count: Int { numbers.count }

    /// Takes the nodes in any order and sorts them.
    /// - Complexity: O(n).
    package init(_ unsorted: consuming Unsorted) {
        let order = Self.hilbertOrder(xs: unsorted.xs, ys: unsorted.ys)
        xs = Self.gather(unsorted.xs, order)
        unsorted.xs = Column()
        ys = Self.gather(unsorted.ys, order)
        unsorted.ys = Column()
        shallowest = Self.gather(unsorted.shallowest, order)
        deepest = Self.gather(unsorted.deepest, order)
        numbers = order
    }

    /// Nodes as they are collected: a node's number is its row.
    package struct Unsorted: Sendable {
        package var xs = Column<UInt32>()
        package var ys = Column<UInt32>()
        package var shallowest = Column<UInt8>()
        package var deepest = Column<UInt8>()

        package init(capacity: Int) {
            xs = Column(capacity: capacity)
            ys = Column(capacity: capacity)
            shallowest = Column(capacity: capacity)
            deepest = Column(capacity: capacity)
        }

        /// Appends a node that is drawn from one zoom through another, or never if they cross.
        package mutating func append(x: Double, y: Double, from: Int, through: Int) {
            xs.append(TileGrid.fixed(x))
            ys.append(TileGrid.fixed(y))
            shallowest.append(UInt8(max(from, 0)))
            deepest.append(UInt8(max(through, 0)))
            if from > through { shallowest[shallowest.count - 1] = .max }
        }
    }

    private static func gather<Element: BitwiseCopyable & Sendable>(
        _ column: Column<Element>, _ order: Column<UInt32>
    ) -> Column<Element> {
        var sorted = Column<Element>(capacity: order.count)
        let source = column.span
        let rows = order.span
        for index in rows.indices { sorted.append(source[Int(rows[index])]) }
        return sorted
    }

    /// The rows in the order of the curve.
    private static func hilbertOrder(xs: Column<UInt32>, ys: Column<UInt32>) -> Column<UInt32> {
        var keys = Column<UInt64>(repeating: 0, count: xs.count)
        var rows = Column<UInt32>(0..<UInt32(xs.count))
        fillKeys(&keys, xs: xs.span, ys: ys.span)
        HilbertSort.sort(&keys, with: &rows)
        return rows
    }

    private static func fillKeys(_ keys: inout Column<UInt64>, xs: Span<UInt32>, ys: Span<UInt32>) {
        var keys = keys.mutableSpan
        for row in xs.indices { keys[row] = HilbertSort.key(x: xs[row], y: ys[row]) }
    }
}
