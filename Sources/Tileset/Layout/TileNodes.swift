import Geometry
import Points

/// Everything that is ever drawn, each point and cluster once, along the Hilbert curve.
///
/// A node is known by a number: leaf numbers first, then clusters in the order of their ids. It is
/// drawn at the zooms `shallowest ... deepest`.
struct TileNodes: Sendable {
    private(set) var xs: Column<UInt32>
    private(set) var ys: Column<UInt32>
    private(set) var numbers: Column<UInt32>
    private(set) var shallowest: Column<UInt8>
    private(set) var deepest: Column<UInt8>

    var count: Int { numbers.count }

    /// Takes the nodes in any order and sorts them.
    /// - Complexity: O(n).
    init(_ unsorted: consuming Unsorted) {
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
    struct Unsorted: Sendable {
        var xs = Column<UInt32>()
        var ys = Column<UInt32>()
        var shallowest = Column<UInt8>()
        var deepest = Column<UInt8>()

        init(capacity: Int) {
            xs = Column(capacity: capacity)
            ys = Column(capacity: capacity)
            shallowest = Column(capacity: capacity)
            deepest = Column(capacity: capacity)
        }

        /// Appends a node that is drawn from one zoom through another, or never if they cross.
        mutating func append(x: Double, y: Double, from: Int, through: Int) {
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

    /// The rows in the order of the Hilbert curve over 2^24 cells a side, the deepest zoom there is.
    ///
    /// A radix sort of (key, row) pairs, twelve bits a pass: the keys are few enough bits that four
    /// passes beat any comparison sort, and rows of equal keys keep their order.
    private static func hilbertOrder(xs: Column<UInt32>, ys: Column<UInt32>) -> Column<UInt32> {
        let count = xs.count
        var keys = Column<UInt64>(repeating: 0, count: count)
        var rows = Column<UInt32>(0..<UInt32(count))
        fillKeys(&keys, xs: xs, ys: ys)
        var otherKeys = Column<UInt64>(repeating: 0, count: count)
        var otherRows = Column<UInt32>(repeating: 0, count: count)
        for pass in 0..<4 {
            sortOnce(
                keys: keys.span, rows: rows.span, shift: UInt64(12 * pass),
                toKeys: &otherKeys, toRows: &otherRows)
            swap(&keys, &otherKeys)
            swap(&rows, &otherRows)
        }
        return rows
    }

    private static func fillKeys(
        _ keys: inout Column<UInt64>, xs: Column<UInt32>, ys: Column<UInt32>
    ) {
        let xs = xs.span
        let ys = ys.span
        var keys = keys.mutableSpan
        for row in xs.indices {
            keys[row] = Hilbert.distance(x: xs[row] >> 8, y: ys[row] >> 8, order: 24)
        }
    }

    private static func sortOnce(
        keys: Span<UInt64>, rows: Span<UInt32>, shift: UInt64,
        toKeys: inout Column<UInt64>, toRows: inout Column<UInt32>
    ) {
        var starts = [Int](repeating: 0, count: 4097)
        for index in keys.indices { starts[Int((keys[index] >> shift) & 0xFFF) + 1] += 1 }
        for bucket in 1...4096 { starts[bucket] += starts[bucket - 1] }
        var toKeys = toKeys.mutableSpan
        var toRows = toRows.mutableSpan
        for index in keys.indices {
            let bucket = Int((keys[index] >> shift) & 0xFFF)
            toKeys[starts[bucket]] = keys[index]
            toRows[starts[bucket]] = rows[index]
            starts[bucket] += 1
        }
    }
}
