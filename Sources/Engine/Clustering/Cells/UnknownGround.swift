import Geometry

/// Where there may be nodes that a cell does not know: beyond its known ground, and around nodes that were left
/// in doubt.
///
/// A pass moves no node by more than the radius. So after each pass unknown ground reaches that much further, and
/// a node in doubt is a disk that grows as fast.
struct UnknownGround: Sendable {
    let known: KnownGround
    /// How far unknown ground has spread into the known ground.
    private(set) var spread = 0.0
    private var disks: [Disk] = []
    private var index = DiskIndex()

    struct Disk: Sendable {
        var x: Double
        var y: Double
        /// How far the unknown had spread before the pass that left the node in doubt.
        var born: Double
    }

    init(beyond known: KnownGround) { self.known = known }

    /// Whether a node there may have an unknown neighbour within `reach`.
    func reaches(_ x: Double, _ y: Double, within reach: Double) -> Bool {
        let depth = known.depth(x, y)
        if depth - spread <= reach { return true }
        return index.reaches(x, y, depth: depth, within: reach)
    }

    /// Whether no unknown node can be within `reach` of a position, by one comparison; false decides nothing.
    @inline(__always)
    func isFar(_ x: Double, _ y: Double, from reach: Double) -> Bool {
        known.depth(x, y) > max(spread, index.deepest) + reach
    }

    /// Accounts for a pass that left nodes at these positions in doubt.
    mutating func spread(by reach: Double, around positions: [WorldPoint]) {
        disks += positions.map { Disk(x: $0.x, y: $0.y, born: spread) }
        spread += reach
        makeIndex(for: reach)
    }

    /// Adds disks to the unknown ground beyond the edges if they hardly reach further than that ground.
    mutating func simplify(for reach: Double) {
        var step = 0.0
        disks.removeAll { disk in
            let excess = known.depth(disk.x, disk.y) - disk.born
            guard excess <= reach / 4 else { return false }
            step = max(step, excess)
            return true
        }
        spread += step
        for disk in disks.indices { disks[disk].born += step }
        makeIndex(for: reach)
    }

    /// Makes the index for searches with that reach.
    private mutating func makeIndex(for reach: Double) {
        index = DiskIndex(disks, spread: spread, reach: reach, known)
    }

    /// Whether nothing unknown lies within a distance of the box that the known ground surrounds.
    func clears(_ box: WorldBox, by distance: Double) -> Bool {
        guard known.margin - spread > distance else { return false }
        return disks.allSatisfy { disk in
            [disk.x - 1, disk.x, disk.x + 1].allSatisfy { x in
                let dx = max(box.minX - x, x - box.maxX, 0)
                let dy = max(box.minY - disk.y, disk.y - box.maxY, 0)
                return (dx * dx + dy * dy).squareRoot() > spread - disk.born + distance
            }
        }
    }
}

/// An index of disks by the squares of a grid, which finds those near a position at once.
private struct DiskIndex: Sendable {
    private var disks: [(x: Double, y: Double, radius: Double)] = []
    private var squares: [Int: [Int32]] = [:]
    /// How many squares there are in a row.
    private var columns = 1
    /// The greatest depth of the known ground that a disk reaches.
    private(set) var deepest = -Double.infinity

    init() {}

    init(
        _ all: [UnknownGround.Disk], spread: Double, reach: Double, _ known: KnownGround
    ) {
        var largest = 0.0
        for disk in all {
            let radius = spread - disk.born
            largest = max(largest, radius)
            deepest = max(deepest, known.depth(disk.x, disk.y) + radius)
            disks.append((disk.x, disk.y, radius))
        }
        columns = Int(min(max(0.999 / (largest + reach), 1), 0x1p20))
        guard columns > 3 else { return }
        for (number, disk) in disks.enumerated() {
            squares[square(column(disk.x), column(disk.y)), default: []].append(Int32(number))
        }
    }

    private func column(_ x: Double) -> Int { min(max(Int(x * Double(columns)), 0), columns - 1) }

    private func square(_ column: Int, _ row: Int) -> Int { row * columns + column }

    func reaches(_ x: Double, _ y: Double, depth: Double, within reach: Double) -> Bool {
        guard depth <= deepest + reach else { return false }
        guard columns > 3 else { return disks.indices.contains { touches($0, x, y, reach) } }
        let (middle, row) = (column(x), column(y))
        for row in max(row - 1, 0)...min(row + 1, columns - 1) {
            for step in [-1, 0, 1] {
                let column = (middle + step + columns) % columns
                if let near = squares[square(column, row)],
                    near.contains(where: { touches(Int($0), x, y, reach) })
                {
                    return true
                }
            }
        }
        return false
    }

    private func touches(_ number: Int, _ x: Double, _ y: Double, _ reach: Double) -> Bool {
        let disk = disks[number]
        let gap = abs(disk.x - x)
        // Across the antimeridian, too; on a world that does not wrap this errs on the safe side.
        let dx = min(gap, 1 - gap)
        let dy = disk.y - y
        let limit = disk.radius + reach
        return dx * dx + dy * dy <= limit * limit
    }
}
