import ParallelColumns

/// Where a level's nodes lie, for loops that walk from node to node and know where both ends are.
///
/// Indexes are not checked, and the level's memory is kept by whoever keeps the level.
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
}
