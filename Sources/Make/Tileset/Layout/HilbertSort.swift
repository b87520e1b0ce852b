import Geometry
import ParallelColumns

/// Rows sorted along the Hilbert curve.
///
/// A key gives the cell in which a row lies, at the deepest zoom that is needed. Nothing needs a
/// finer order: rows of one cell keep theirs.
enum HilbertSort {
    /// The deepest zoom there is.
    static let deepest: UInt8 = 24

    /// The bytes of scratch memory for a row: its key and number, twice.
    static let scratch = 2 * MemoryLayout<SortEntry>.stride

    /// The key of a position in fixed point.
    static func key(x: UInt32, y: UInt32, zoom: UInt8) -> UInt64 {
        let unused = 32 - UInt32(zoom)
        return Hilbert.distance(x: x >> unused, y: y >> unused, order: zoom)
    }

    /// The rows 0 ..< `count` with their keys, in the order of the curve.
    ///
    /// They are in the workers' scratch memory.
    /// - Complexity: O(count).
    static func sorted(
        _ count: Int, zoom: UInt8, workers: Workers,
        position: @Sendable (Int) -> (x: UInt32, y: UInt32)
    ) -> SharedColumn<SortEntry> {
        RadixSort.order(of: count, bits: 2 * Int(zoom), workers: workers) { row in
            let position = position(row)
            return key(x: position.x, y: position.y, zoom: zoom)
        }
    }
}
