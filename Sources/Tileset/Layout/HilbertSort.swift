import Geometry
import Points

/// Rows sorted along the Hilbert curve.
enum HilbertSort {
    /// The order of the curve: cells a side are 2^24, so the deepest zoom there is is 24.
    static let order: UInt8 = 24

    /// The key of a place in fixed point.
    static func key(x: UInt32, y: UInt32) -> UInt64 {
        Hilbert.distance(x: x >> 8, y: y >> 8, order: order)
    }

    /// Which cell of a shallower zoom a key lies in.
    static func cell(of key: UInt64, zoom: UInt8) -> UInt64 { key >> (2 * UInt64(order - zoom)) }

    /// Sorts keys together with the rows that they belong to; equal keys keep their order.
    ///
    /// A radix sort, twelve bits a pass: 48 bits are few enough that four passes beat any
    /// comparison.
    /// - Complexity: O(n).
    static func sort(_ keys: inout Column<UInt64>, with rows: inout Column<UInt32>) {
        var otherKeys = Column<UInt64>(repeating: 0, count: keys.count)
        var otherRows = Column<UInt32>(repeating: 0, count: rows.count)
        for pass in 0..<4 {
            sortOnce(
                keys: keys.span, rows: rows.span, shift: UInt64(12 * pass),
                toKeys: &otherKeys, toRows: &otherRows)
            swap(&keys, &otherKeys)
            swap(&rows, &otherRows)
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
