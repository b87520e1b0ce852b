import Clustering
import Geometry
import Points

/// The squares that the world is cut into, along the Hilbert curve.
struct CellDivision: Sendable {
    let cells: [TileID]
    /// The number of points in each.
    let counts: [Int]
    /// The stretch of the curve through each.
    private let stretches: [ClosedRange<UInt64>]

    /// - Parameter cells: squares that cover the world, each once, along the curve.
    init(_ cells: [TileID], counts: [Int]) {
        self.cells = cells
        self.counts = counts
        stretches = cells.map(CurveStretches.stretch)
    }

    /// Whether squares cover each place of the world exactly once, along the Hilbert curve.
    static func isWhole(_ cells: [TileID]) -> Bool {
        var next: UInt64 = 0
        for cell in cells {
            guard cell.z <= PointCounts.zoom else { return false }
            let stretch = CurveStretches.stretch(of: cell)
            guard stretch.lowerBound == next else { return false }
            next = stretch.upperBound + 1
        }
        return next == 1 << (2 * UInt64(PointCounts.zoom))
    }

    /// For each cell, the other cells that reach into it.
    /// - Parameter boxes: how far each cell reaches; empty if it does not.
    func neighbours(reaching boxes: [WorldBox]) -> [[Int]] {
        var neighbours: [[Int]] = boxes.map { _ in [] }
        for (cell, box) in boxes.enumerated() where !box.isEmpty {
            for other in self.cells(touching: box) where other != cell {
                neighbours[other].append(cell)
            }
        }
        return neighbours
    }

    /// The numbers of the cells that a box touches; a box that crosses one end of the world
    /// continues at the other.
    func cells(touching box: WorldBox) -> Set<Int> {
        var met: Set<Int> = []
        if box.maxX - box.minX < 1 {
            for shift in [-1.0, 0, 1] {
                visit(Self.world, box.moved(east: shift), cells.indices, &met)
            }
        } else {
            let band = WorldBox(minX: 0, minY: box.minY, maxX: 1, maxY: box.maxY)
            visit(Self.world, band, cells.indices, &met)
        }
        return met
    }

    private static let world = TileID(z: 0, x: 0, y: 0)

    /// - Parameter own: the numbers of the cells in the tile.
    private func visit(
        _ tile: TileID, _ box: WorldBox, _ own: Range<Int>, _ met: inout Set<Int>
    ) {
        guard box.touches(tile.square) else { return }
        if own.count == 1 {
            met.insert(own.lowerBound)
            return
        }
        for child in tile.children {
            let stretch = CurveStretches.stretch(of: child)
            let first = own.partitionPoint { stretches[$0].lowerBound >= stretch.lowerBound }
            let end = own.partitionPoint { stretches[$0].lowerBound > stretch.upperBound }
            visit(child, box, first..<end, &met)
        }
    }
}

extension TileID {
    /// The four tiles into which it divides, row by row.
    var children: [TileID] {
        [(0, 0), (1, 0), (0, 1), (1, 1)].map { (east: UInt32, south: UInt32) in
            TileID(z: z + 1, x: 2 * x + east, y: 2 * y + south)
        }
    }

    /// The name of a cell in a job's folder.
    var cellName: String { "\(z)-\(x)-\(y)" }
}
