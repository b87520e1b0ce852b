import Geometry
import ParallelColumns
import Points

/// All that is drawn, each point and cluster once, along the Hilbert curve.
///
/// A node has a number: leaf numbers come first, then clusters in the order of their ids. It is
/// drawn at the zooms `shallowest ... deepest`.
package struct TileNodes: Sendable {
    package let xs: Column<UInt32>
    package let ys: Column<UInt32>
    package let numbers: Column<UInt32>
    package let shallowest: Column<UInt8>
    package let deepest: Column<UInt8>

    package var count: Int { numbers.count }

    /// Nodes from this number on are legs. They lie between other nodes and may cross the world's
    /// edge, so bounds need not include them.
    package var firstUnbounded = UInt32.max

    /// Takes the nodes in the order of their numbers and sorts them along the curve by tiles of
    /// `maxZoom`, and within each tile by row and column.
    /// - Parameter precedes: the order of nodes at one place, by their numbers.
    /// - Complexity: O(n), and O(t log t) for the t nodes of each tile of `maxZoom`.
    package init(
        _ unsorted: Unsorted, maxZoom: UInt8, workers: Workers,
        precedes: @Sendable (UInt32, UInt32) -> Bool
    ) {
        let order = HilbertSort.sorted(unsorted.count, zoom: maxZoom, workers: workers) {
            (unsorted.xs[$0], unsorted.ys[$0])
        }
        Self.sortWithinTiles(order, unsorted, workers, precedes)
        xs = Self.gather(unsorted.xs, order, workers)
        ys = Self.gather(unsorted.ys, order, workers)
        shallowest = Self.gather(unsorted.shallowest, order, workers)
        deepest = Self.gather(unsorted.deepest, order, workers)
        numbers = Self.column(of: order.count, workers) { order[$0].item }
    }

    /// Nodes as they are collected, in scratch memory: a node's number is its row.
    package struct Unsorted: Sendable {
        /// The number of bytes of a node.
        static let size = 10

        package let count: Int
        package let xs, ys: SharedColumn<UInt32>
        package let shallowest, deepest: SharedColumn<UInt8>

        /// Room for nodes, each of which must be set before they are sorted.
        package init(count: Int, in arena: Arena) {
            self.count = count
            xs = SharedColumn(count: count, in: arena)
            ys = SharedColumn(count: count, in: arena)
            shallowest = SharedColumn(count: count, in: arena)
            deepest = SharedColumn(count: count, in: arena)
        }

        /// Sets a node that is drawn from one zoom through another, or never if they cross.
        package func set(_ number: Int, x: Double, y: Double, from: Int, through: Int) {
            xs[number] = TileGrid.fixed(x)
            ys[number] = TileGrid.fixed(y)
            shallowest[number] = from > through ? .max : UInt8(max(from, 0))
            deepest[number] = UInt8(max(through, 0))
        }
    }

    /// Sorts nodes whose keys are equal.
    private static func sortWithinTiles(
        _ order: SharedColumn<SortEntry>, _ unsorted: Unsorted, _ workers: Workers,
        _ precedes: @Sendable (UInt32, UInt32) -> Bool
    ) {
        // The nodes of a tile are sorted by one worker.
        let ends = workers.cut(order.count).map { piece in
            var end = piece.upperBound
            while end < order.count, order[end].key == order[end - 1].key { end += 1 }
            return end
        }
        workers.forEach(ends.count) { piece in
            var start = piece == 0 ? 0 : ends[piece - 1]
            while start < ends[piece] {
                var end = start + 1
                while end < ends[piece], order[end].key == order[start].key { end += 1 }
                if end - start > 1 { sort(order, start..<end, unsorted, precedes) }
                start = end
            }
        }
    }

    private static func sort(
        _ order: SharedColumn<SortEntry>, _ rows: Range<Int>, _ unsorted: Unsorted,
        _ precedes: (UInt32, UInt32) -> Bool
    ) {
        var nodes = rows.map { row in
            let item = order[row].item
            return (
                place: UInt64(unsorted.ys[Int(item)]) << 32 | UInt64(unsorted.xs[Int(item)]),
                entry: order[row]
            )
        }
        nodes.sort {
            $0.place != $1.place
                ? $0.place < $1.place
                : $0.entry.item != $1.entry.item && precedes($0.entry.item, $1.entry.item)
        }
        for (row, node) in zip(rows, nodes) { order[row] = node.entry }
    }

    private static func gather<Element: BitwiseCopyable & Sendable>(
        _ source: SharedColumn<Element>, _ order: SharedColumn<SortEntry>, _ workers: Workers
    ) -> Column<Element> {
        column(of: order.count, workers) { source[order[$0].item] }
    }

    private static func column<Element: BitwiseCopyable & Sendable>(
        of count: Int, _ workers: Workers, element: @Sendable (Int) -> Element
    ) -> Column<Element> {
        // Each element is set below, by one of the workers.
        var column = unsafe Column<Element>(uninitialized: count)
        let target = SharedColumn(filling: &column)
        let pieces = workers.cut(count)
        workers.forEach(pieces.count) { piece in
            for row in pieces[piece] { target[row] = element(row) }
        }
        return column
    }
}
