import ParallelColumns
import Synchronization

/// Finds the nodes of a level that lie within the radius of one of them.
struct Neighbourhood: Sendable {
    let wraps: Bool
    let nodes: NodePositions
    /// For each node, the first node that may be near it in the band above, and in the band below.
    private let above: UncheckedColumn<UInt32>
    private let below: UncheckedColumn<UInt32>
    /// 1 for each node that has a neighbour.
    private let crowded: UncheckedColumn<UInt8>
    private let columns: Columns
    /// How far to look east and west; on a world that wraps no two positions are further apart.
    let reach: Double
    /// A band's height, and a little more for rounding.
    private let bandHeight: Double
    private let nearness: Nearness

    /// The level, and the memory of the columns above: in a class, as a neighbourhood is copied often.
    private final class Columns: Sendable {
        let level: Level
        let above: SharedColumn<UInt32>
        let below: SharedColumn<UInt32>
        let crowded: SharedColumn<UInt8>
        let metTie = Atomic<Bool>(false)

        init(_ level: Level, _ scratch: Arena) {
            self.level = level
            above = SharedColumn(count: level.count, in: scratch)
            below = SharedColumn(count: level.count, in: scratch)
            crowded = SharedColumn(count: level.count, in: scratch)
        }
    }

    /// - Parameter watchesTies: whether to note that a tie was decided.
    init(_ level: Level, wraps: Bool, watchesTies: Bool = false, scratch: Arena) {
        self.wraps = wraps
        nearness = Nearness(radius: level.bands.radius, watchesTies: watchesTies)
        columns = Columns(level, scratch)
        unsafe nodes = NodePositions(of: level)
        unsafe above = columns.above.unchecked
        unsafe below = columns.below.unchecked
        unsafe crowded = columns.crowded.unchecked
        reach = wraps ? min(level.bands.reach, 0.5) : level.bands.reach
        bandHeight = 1.001 / level.bands.scale
    }

    var level: Level { columns.level }

    /// Whether a tie was decided; false if ties are not watched.
    var metTie: Bool { columns.metTie.load(ordering: .relaxed) }

    /// Finds where to look for the neighbours of each node of a range, and which nodes have any,
    /// by one walk in order.
    func prepare(_ range: Range<Int>) {
        guard let first = range.first else { return }
        let level = level
        for index in range { crowded[index] = 0 }
        let band = nodes.band(of: first)
        var upper = level.run(startingAt: level.firstIndex(band: band - 1, x: -1))
        var own = level.run(startingAt: level.firstIndex(band: band, x: -1))
        while own.nodes.lowerBound < range.upperBound {
            let lower = level.run(startingAt: own.nodes.upperBound)
            let bands = TouchingBands(
                nodes: own.nodes, band: own.band,
                upper: upper.band == own.band - 1 ? upper.nodes : nowhere,
                lower: lower.band == own.band + 1 ? lower.nodes : nowhere)
            prepare(bands, range)
            (upper, own) = (own, lower)
        }
    }

    /// A band of the level with the bands that touch it.
    private struct TouchingBands {
        let nodes: Range<Int>
        let band: Int
        let upper: Range<Int>
        let lower: Range<Int>
    }

    private var nowhere: Range<Int> { nodes.count..<nodes.count }

    private func prepare(_ bands: TouchingBands, _ range: Range<Int>) {
        var up = bands.upper.lowerBound
        var down = bands.lower.lowerBound
        for index in bands.nodes.clamped(to: range) {
            let west = nodes.xs[index] - reach
            advance(&up, bands.upper.upperBound, west)
            advance(&down, bands.lower.upperBound, west)
            above[index] = UInt32(truncatingIfNeeded: up)
            below[index] = UInt32(truncatingIfNeeded: down)
            guard crowded[index] == 0, let other = anyNeighbour(of: index, bands, up, down) else {
                continue
            }
            crowded[index] = 1
            if range.contains(other) { crowded[other] = 1 }
        }
    }

    /// Moves on to the first node of a band from `west` on.
    @inline(__always)
    private func advance(_ index: inout Int, _ end: Int, _ west: Double) {
        // The next is mostly zero or one step away, which no processor can predict: so the first two steps are
        // added, without branches.
        if index < end { index += nodes.xs[index] < west ? 1 : 0 }
        if index < end { index += nodes.xs[index] < west ? 1 : 0 }
        while index < end, nodes.xs[index] < west { index += 1 }
    }

    @inline(__always)
    private func anyNeighbour(of index: Int, _ bands: TouchingBands, _ up: Int, _ down: Int) -> Int?
    {
        let (px, py) = (nodes.xs[index], nodes.ys[index])
        let (west, east) = (px - reach, px + reach)
        var other = index - 1
        while other >= bands.nodes.lowerBound, nodes.xs[other] >= west {
            if isNear(other, px, py) { return other }
            other -= 1
        }
        if let other = firstNear(index + 1, bands.nodes.upperBound, px, py) { return other }
        if let other = firstNear(up, bands.upper.upperBound, px, py) { return other }
        if let other = firstNear(down, bands.lower.upperBound, px, py) { return other }
        var across: Int?
        if wraps, west < 0 || east >= 1 {
            visitAcrossEdge(bands.band, px, py) { other in
                across = other
                return false
            }
        }
        return across
    }

    @inline(__always)
    private func firstNear(_ start: Int, _ end: Int, _ px: Double, _ py: Double) -> Int? {
        let east = px + reach
        var other = start
        while other < end, nodes.xs[other] <= east {
            if isNear(other, px, py) { return other }
            other += 1
        }
        return nil
    }

    /// The first node that may be near a node in the band above, and in the band below.
    func firstAbove(_ index: Int) -> Int { Int(above[index]) }
    func firstBelow(_ index: Int) -> Int { Int(below[index]) }

    /// Whether no other node lies within the radius, once the node is prepared.
    @inline(__always)
    func isAlone(_ index: Int) -> Bool { crowded[index] == 0 }

    /// Calls `body` with each other node within the radius until it returns false.
    ///
    /// The node's own band comes first, nearest first: in a crowd that ends a search at once.
    @inline(__always)
    func visit(around index: Int, _ body: (Int) -> Bool) {
        let px = nodes.xs[index]
        let py = nodes.ys[index]
        let band = nodes.bands.band(py)
        let west = px - reach
        let east = px + reach
        var other = index - 1
        // West of a band's first node, the band above ends, at any x. The check of `north` ends the walk there,
        // even if all nodes lie along one meridian.
        let north = py - bandHeight
        while other >= 0, nodes.xs[other] >= west, nodes.xs[other] <= px, nodes.ys[other] >= north {
            if isNear(other, px, py), nodes.band(of: other) == band, !body(other) { return }
            other -= 1
        }
        guard scan(from: index + 1, band, px, py, to: py + bandHeight, body),
            scan(from: Int(above[index]), band - 1, px, py, to: py, body),
            scan(from: Int(below[index]), band + 1, px, py, to: py + 2 * bandHeight, body)
        else { return }
        if wraps, west < 0 || east >= 1 { visitAcrossEdge(band, px, py, body) }
    }

    @inline(__always)
    func isNear(_ other: Int, _ px: Double, _ py: Double) -> Bool {
        let dx = nodes.xs[other] - px
        let dy = nodes.ys[other] - py
        let square = dx * dx + dy * dy
        guard square <= nearness.maybe else { return false }
        return square < nearness.surely || decideTie(square)
    }

    @inline(never)
    private func decideTie(_ square: Double) -> Bool {
        columns.metTie.store(true, ordering: .relaxed)
        return square <= nodes.bands.squaredRadius
    }

    /// Visits the near nodes of a band from `start` on, its first node that may be near; no node of that band
    /// lies south of `south`.
    @inline(__always)
    private func scan(
        from start: Int, _ band: Int, _ px: Double, _ py: Double, to south: Double,
        _ body: (Int) -> Bool
    ) -> Bool {
        var other = start
        // After a band's last node the next band begins, at any x.
        while other < nodes.count, nodes.xs[other] <= px + reach, nodes.xs[other] >= px - reach,
            nodes.ys[other] <= south
        {
            if isNear(other, px, py), nodes.band(of: other) == band, !body(other) { return false }
            other += 1
        }
        return true
    }
}
