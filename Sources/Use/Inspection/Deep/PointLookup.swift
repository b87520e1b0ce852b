import ArchiveContract
import Basics
import Geometry

/// Finds points by fingerprint, to compare drawn points with the leaf blocks.
///
/// Points that differ only in their position share a fingerprint, so a tile may show any of them
/// that lies where it shows one. Memory: 16 bytes a point.
struct PointLookup: Sendable {
    private struct Entry: BitwiseCopyable, Sendable {
        var fingerprint: UInt64
        var x: Int32
        var y: Int32
    }

    private var entries: [Entry] = []

    mutating func insert(_ fingerprint: UInt64, at position: GridPoint) {
        entries.append(Entry(fingerprint: fingerprint, x: position.x, y: position.y))
    }

    /// Sorts the points, so that they can be looked up.
    /// - Complexity: O(n log n).
    mutating func sort() {
        entries.sort { ($0.fingerprint, $0.x, $0.y) < ($1.fingerprint, $1.x, $1.y) }
    }

    enum Answer { case near, elsewhere, unknown }

    /// Whether a point with that fingerprint lies within `slack` of a position, both in steps; the
    /// world wraps.
    func look(for fingerprint: UInt64, x: Double, y: Double, slack: Double) -> Answer {
        let start = index(of: fingerprint, x: Int32.min)
        guard start < entries.count, entries[start].fingerprint == fingerprint else {
            return .unknown
        }
        for turn in [0, GridPoint.steps, -GridPoint.steps] {
            let west = (x + turn - slack).rounded(.up)
            var index = index(of: fingerprint, x: Int32(clamping: Int64(west)))
            while index < entries.count, entries[index].fingerprint == fingerprint,
                Double(entries[index].x) <= x + turn + slack
            {
                if abs(Double(entries[index].y) - y) <= slack { return .near }
                index += 1
            }
        }
        return .elsewhere
    }

    /// The first entry with that fingerprint at or east of `x`.
    private func index(of fingerprint: UInt64, x: Int32) -> Int {
        (0..<entries.count).partitionPoint {
            (entries[$0].fingerprint, entries[$0].x) >= (fingerprint, x)
        }
    }
}
