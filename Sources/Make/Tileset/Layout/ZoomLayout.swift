import Geometry
import Points
import TileArchive

/// The nodes that each tile of one zoom holds.
package struct ZoomLayout: Sendable {
    package let grid: TileGrid

    /// Tiles in the order that was asked for.
    package private(set) var tiles: [Tile] = []
    /// The nodes of all tiles, one tile after another, as rows of `TileNodes`.
    package private(set) var rows = Column<UInt32>()

    /// The box around the units that the zoom draws, without copies.
    package let drawnBox: WorldBox

    package struct Tile: Sendable {
        package var x: UInt32
        package var y: UInt32
        /// The tile's nodes within `rows`.
        package var start: UInt32
        package var count: UInt32
    }

    /// - Complexity: O(n) for the n nodes of this zoom, and O(t log t) for its t tiles by column.
    package init(of nodes: TileNodes, grid: TileGrid, order: TileOrder) {
        self.grid = grid
        let strays: [Stray]
        (strays, drawnBox) = Self.strays(of: nodes, grid)
        fill(from: nodes, merging: strays)
        // `fill` leaves them in the order of the curve.
        guard order == .byColumn else { return }
        let last = UInt32((UInt64(1) << UInt64(grid.zoom)) - 1)
        tiles.sort { a, b in
            a.x != b.x ? a.x < b.x : last - a.y < last - b.y
        }
    }

    /// The same layout with some of its tiles.
    func keeping(_ kept: [Tile]) -> ZoomLayout {
        var layout = self
        layout.tiles = kept
        return layout
    }

    /// A node in a tile other than the one in which a walk along the curve meets it.
    private struct Stray {
        var curve: UInt64
        var tile: TileID
        var row: UInt32
    }

    /// The nodes drawn by a tile other than their own, which are few: copies in the margin of a
    /// neighbour, and nodes that rounding moved over an edge. Also the box around all nodes, each
    /// where it is drawn.
    private static func strays(
        of nodes: TileNodes, _ grid: TileGrid
    ) -> (strays: [Stray], drawn: WorldBox) {
        var strays: [Stray] = []
        var box = UnitBox()
        let tiles = Int64(1) << Int64(grid.zoom)
        nodes.forEach(drawnAt: grid) { row, home, walked, local in
            if home != walked {
                strays.append(Stray(curve: curve(home), tile: home, row: row))
            }
            if nodes.numbers[Int(row)] < nodes.firstUnbounded { box.include(home, local, grid) }
            let east = grid.neighbor(ofLocal: local.x)
            let south = grid.neighbor(ofLocal: local.y)
            guard east != 0 || south != 0 else { return }
            func copy(east: Int64, south: Int64) {
                let y = Int64(home.y) + south
                // At zoom 0, the tile is its own neighbour to the east and west.
                guard y >= 0, y < tiles, east == 0 || tiles > 1 else { return }
                let x = (Int64(home.x) + east) & (tiles - 1)
                let tile = TileID(z: grid.zoom, x: UInt32(x), y: UInt32(y))
                strays.append(Stray(curve: curve(tile), tile: tile, row: row))
            }
            // Near an edge there is one neighbour, at a corner there are three.
            copy(east: east, south: south)
            if east != 0 && south != 0 {
                copy(east: east, south: 0)
                copy(east: 0, south: south)
            }
        }
        strays.sort { ($0.curve, $0.row) < ($1.curve, $1.row) }
        return (strays, box.inWorld(of: grid))
    }

    /// A box in whole units of a zoom.
    private struct UnitBox {
        private var minX = Int64.max
        private var minY = Int64.max
        private var maxX = Int64.min
        private var maxY = Int64.min

        @inline(__always)
        mutating func include(_ tile: TileID, _ local: (x: Int64, y: Int64), _ grid: TileGrid) {
            let x = Int64(tile.x) << Int64(grid.extentBits) | local.x
            let y = Int64(tile.y) << Int64(grid.extentBits) | local.y
            minX = min(minX, x)
            minY = min(minY, y)
            maxX = max(maxX, x)
            maxY = max(maxY, y)
        }

        func inWorld(of grid: TileGrid) -> WorldBox {
            guard minX <= maxX else { return .empty }
            let unit = 1 / Double(grid.extent << Int64(grid.zoom))
            return WorldBox(
                minX: Double(minX) * unit, minY: Double(minY) * unit, maxX: Double(maxX) * unit,
                maxY: Double(maxY) * unit)
        }
    }

    private static func curve(_ tile: TileID) -> UInt64 {
        Hilbert.distance(x: tile.x, y: tile.y, order: tile.z)
    }

    /// Walks along the curve and writes each tile's nodes, with strays merged in.
    private mutating func fill(from nodes: TileNodes, merging strays: [Stray]) {
        var next = 0
        var here: (tile: TileID, curve: UInt64)?
        nodes.forEach(drawnAt: grid) { row, home, walked, _ in
            guard home == walked else { return }
            if here?.tile != home { here = (home, Self.curve(home)) }
            while next < strays.count, let curve = here?.curve, strays[next].curve < curve {
                add(strays[next].row, to: strays[next].tile)
                next += 1
            }
            add(row, to: home)
        }
        for stray in strays[next...] { add(stray.row, to: stray.tile) }
    }

    private mutating func add(_ row: UInt32, to tile: TileID) {
        if let last = tiles.last, last.x == tile.x, last.y == tile.y {
            tiles[tiles.count - 1].count += 1
        } else {
            tiles.append(Tile(x: tile.x, y: tile.y, start: UInt32(rows.count), count: 1))
        }
        rows.append(row)
    }
}

extension TileNodes {
    /// Walks along the curve over the nodes that a zoom draws.
    ///
    /// `body` gets the node's row, the tile of its nearest unit, the tile in which the walk is, and the place
    /// of the unit in the former. The two tiles differ only where rounding crosses an edge.
    @inline(__always)
    package func forEach(
        drawnAt grid: TileGrid,
        _ body: (_ row: UInt32, _ home: TileID, _ walked: TileID, _ local: (x: Int64, y: Int64))
            -> Void
    ) {
        let shift = UInt64(32 - grid.zoom)
        let (xs, ys) = (xs.span, ys.span)
        let (shallowest, deepest) = (shallowest.span, deepest.span)
        for row in xs.indices
        where shallowest[row] <= grid.zoom && grid.zoom <= deepest[row] {
            let column = grid.unitX(xs[row])
            let line = grid.unitY(ys[row])
            let home = TileID(
                z: grid.zoom, x: UInt32(column >> Int64(grid.extentBits)),
                y: UInt32(line >> Int64(grid.extentBits)))
            let walked = TileID(
                z: grid.zoom, x: UInt32(UInt64(xs[row]) >> shift),
                y: UInt32(UInt64(ys[row]) >> shift))
            body(UInt32(row), home, walked, (column & (grid.extent - 1), line & (grid.extent - 1)))
        }
    }
}
