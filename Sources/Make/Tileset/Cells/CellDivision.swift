import Clustering
import Geometry
import Points

/// The squares that the world is cut into, along the Hilbert curve.
struct CellDivision: Sendable {
    let cells: [TileID]
    /// The number of points in each.
    let counts: [Int]
    /// The tree of squares: each node has the first of its four children, or the number of its cell.
    private var nodes: [Node] = []

    private enum Node {
        case cell(Int)
        case children(Int)
    }

    /// - Parameter cells: squares that cover the world, each once.
    init(_ cells: [TileID], counts: [Int]) {
        self.cells = cells
        self.counts = counts
        var indexes: [TileID: Int] = [:]
        for (index, cell) in cells.enumerated() { indexes[cell] = index }
        nodes = [.cell(0)]
        var open = [(node: 0, tile: TileID(z: 0, x: 0, y: 0))]
        while let (node, tile) = open.popLast() {
            if let cell = indexes[tile] {
                nodes[node] = .cell(cell)
                continue
            }
            let first = nodes.count
            nodes[node] = .children(first)
            for (index, child) in tile.children.enumerated() {
                nodes.append(.cell(0))
                open.append((first + index, child))
            }
        }
    }

    /// Whether squares cover each place of the world exactly once.
    static func isWhole(_ cells: [TileID]) -> Bool {
        var area = 0.0
        var seen: Set<TileID> = []
        for cell in cells {
            guard cell.z <= PointCounts.zoom, seen.insert(cell).inserted else { return false }
            area += cell.width * cell.width
        }
        return area == 1
            && cells.allSatisfy { cell in
                var above = cell.parent
                while let tile = above {
                    if seen.contains(tile) { return false }
                    above = tile.parent
                }
                return true
            }
    }

    /// The cell that holds a position.
    func cell(_ x: Double, _ y: Double) -> Int {
        var (left, top, size) = (0.0, 0.0, 1.0)
        var node = 0
        while case .children(let first) = nodes[node] {
            size /= 2
            let (isEast, isSouth) = (x >= left + size, y >= top + size)
            if isEast { left += size }
            if isSouth { top += size }
            node = first + (isEast ? 1 : 0) + (isSouth ? 2 : 0)
        }
        guard case .cell(let cell) = nodes[node] else { return 0 }
        return cell
    }

    /// For each cell, the other cells that reach into it.
    /// - Parameter boxes: how far each cell reaches; empty if it does not.
    func neighbours(reaching boxes: [WorldBox]) -> [[Int]] {
        var neighbours: [[Int]] = boxes.map { _ in [] }
        for (cell, box) in boxes.enumerated() where !box.isEmpty {
            var seen: Set<Int> = [cell]
            forEachCell(touching: box) { other in
                if seen.insert(other).inserted { neighbours[other].append(cell) }
            }
        }
        return neighbours
    }

    /// Calls `body` with each cell that a box touches; a box that crosses one end of the world
    /// continues at the other.
    func forEachCell(
        touching box: WorldBox, _ body: (Int) -> Void
    ) {
        guard box.maxX - box.minX < 1 else {
            return visit(
                0, TileID(z: 0, x: 0, y: 0),
                WorldBox(minX: 0, minY: box.minY, maxX: 1, maxY: box.maxY), body)
        }
        for shift in [-1.0, 0, 1] {
            let part = WorldBox(
                minX: box.minX + shift, minY: box.minY, maxX: box.maxX + shift, maxY: box.maxY)
            guard part.maxX >= 0, part.minX <= 1 else { continue }
            visit(0, TileID(z: 0, x: 0, y: 0), part, body)
        }
    }

    private func visit(
        _ node: Int, _ tile: TileID, _ box: WorldBox, _ body: (Int) -> Void
    ) {
        let (origin, width) = (tile.origin, tile.width)
        guard box.maxX >= origin.x, box.minX <= origin.x + width, box.maxY >= origin.y,
            box.minY <= origin.y + width
        else { return }
        switch nodes[node] {
        case .cell(let cell): body(cell)
        case .children(let first):
            for (index, child) in tile.children.enumerated() {
                visit(first + index, child, box, body)
            }
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
