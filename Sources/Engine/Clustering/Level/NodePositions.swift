import Basics
import ParallelColumns

/// The positions of a level's nodes, for loops that walk from node to node and know where both ends are.
///
/// Indexes are not checked, and the owner of the level keeps its memory.
struct NodePositions: Sendable {
    let bands: Bands
    let count: Int
    let xs: UncheckedColumn<Double>
    let ys: UncheckedColumn<Double>

    @unsafe
    init(of level: Level) {
        bands = level.bands
        count = level.count
        unsafe xs = level.x.unchecked
        unsafe ys = level.y.unchecked
    }

    @inline(__always)
    func band(of index: Int) -> Int { bands.band(ys[index]) }

    /// The column of a grid that a node is in.
    @inline(__always)
    func column(of index: Int) -> Int { bands.band(xs[index]) }

    @inline(__always)
    func isBefore(_ index: Int, _ band: Int, _ west: Double) -> Bool {
        let there = self.band(of: index)
        return there < band || there == band && xs[index] < west
    }

    /// The first node of a range that is not before that band and x.
    func firstIndex(in range: Range<Int>, band: Int, x west: Double) -> Int {
        range.partitionPoint { !isBefore($0, band, west) }
    }
}
