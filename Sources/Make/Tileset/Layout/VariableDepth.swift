import ArchiveContract
import Geometry
import Synchronization
import TileArchive

/// Leaves out tiles whose ancestor shows the same: a tile that has only points, each of which stays
/// the same down to the deepest zoom, *covers* the tiles below it for some zooms.
///
/// At a zoom, either all tiles below a covering one are left out or none: a map that shows the ancestor instead
/// of one of them shows it instead of all, so nothing is drawn twice. Grids are finer by as many bits as zooms
/// may be covered, so an ancestor is as exact as the tiles that it replaces.
///
/// A part of the world continues from the zooms above it (`Covering`): the tiles that cover
/// another, and all tiles below them, are in one part.
package final class VariableDepth: Sendable {
    /// The tiles that may cover those of the next zooms.
    struct Covering: Sendable {
        /// The distances along the curve of tiles that cover others, by zoom.
        var tiles: [UInt8: Set<UInt64>] = [:]
    }

    fileprivate struct State {
        /// The distances along the curve of tiles that cover others, by zoom.
        var covering: [UInt8: Set<UInt64>] = [:]
        /// The grids of these zooms.
        var grids: [TileGrid] = []
        var leftOut: [UInt8: Int] = [:]
    }
    private let state: Mutex<State>
    /// Nodes with lower numbers are points.
    private let leafCount: UInt32
    /// The square whose tiles are decided on; nil means all.
    private let square: TileID?

    package convenience init(leafCount: Int) {
        self.init(leafCount: leafCount, in: nil, under: Covering(), grids: [])
    }

    /// Continues in a square of the world.
    /// - Parameter grids: the grids of those earlier zooms whose tiles may cover others.
    init(leafCount: Int, in square: TileID?, under covering: Covering, grids: [TileGrid]) {
        self.leafCount = UInt32(leafCount)
        self.square = square
        state = Mutex(State(covering: covering.tiles, grids: grids))
    }

    /// The tiles that may cover those of deeper zooms.
    var covering: Covering { state.withLock { Covering(tiles: $0.covering) } }

    /// How many tiles were left out, by zoom.
    package var leftOut: [UInt8: Int] { state.withLock(\.leftOut) }

    /// The tiles of a zoom that are to be written. Zooms come one after another, shallow ones first.
    package func thinned(_ layout: ZoomLayout, of nodes: TileNodes) -> ZoomLayout {
        state.withLock { state in
            let zoom = layout.grid.zoom
            let tiles = layout.tiles.filter { tile in
                square.map { tile.lies(in: $0, layout) } ?? true
            }
            let covers = tiles.map { state.cover(of: $0, at: zoom) }
            var broken: Set<Cover> = []
            for (tile, cover) in zip(tiles, covers) {
                if let cover, !holdsPoints(tile, of: layout, nodes, drawnFrom: cover.zoom) {
                    broken.insert(cover)
                }
            }
            // Includes tiles beside the square, as a point may cross its edge.
            for tile in layout.tiles { state.addBroken(by: tile, of: layout, nodes, to: &broken) }
            for cover in broken { state.covering[cover.zoom]?.remove(cover.distance) }
            var own: Set<UInt64> = []
            var kept: [ZoomLayout.Tile] = []
            for (tile, cover) in zip(tiles, covers) {
                if let cover, !broken.contains(cover) { continue }
                kept.append(tile)
                if holdsPoints(tile, of: layout, nodes, drawnFrom: zoom) {
                    own.insert(Hilbert.distance(x: tile.x, y: tile.y, order: zoom))
                }
            }
            state.begin(layout.grid, covering: own)
            state.leftOut[zoom] = tiles.count - kept.count
            return layout.keeping(kept)
        }
    }

    /// Whether a tile and its margin hold only points that are drawn from a zoom on.
    private func holdsPoints(
        _ tile: ZoomLayout.Tile, of layout: ZoomLayout, _ nodes: TileNodes, drawnFrom zoom: UInt8
    ) -> Bool {
        let rows = layout.rows.span
        for index in Int(tile.start)..<Int(tile.start + tile.count) {
            let row = Int(rows[index])
            guard nodes.numbers[row] < leafCount, nodes.shallowest[row] <= zoom else {
                return false
            }
        }
        return true
    }
}

/// A tile that covers others below it.
private struct Cover: Hashable {
    let zoom: UInt8
    let distance: UInt64
}

extension VariableDepth.State {
    /// The tile that covers another one; nil if none does.
    fileprivate func cover(of tile: ZoomLayout.Tile, at zoom: UInt8) -> Cover? {
        let distance = Hilbert.distance(x: tile.x, y: tile.y, order: zoom)
        for (above, distances) in covering {
            let cover = Cover(zoom: above, distance: distance >> (2 * UInt64(zoom - above)))
            if distances.contains(cover.distance) { return cover }
        }
        return nil
    }

    /// Adds the tiles that can no longer cover others, because a point crosses their edge when it
    /// is rounded to another grid: both they and their neighbours would show it.
    fileprivate func addBroken(
        by tile: ZoomLayout.Tile, of layout: ZoomLayout, _ nodes: TileNodes,
        to broken: inout Set<Cover>
    ) {
        let rows = layout.rows.span
        for index in Int(tile.start)..<Int(tile.start + tile.count) {
            let (x, y) = (nodes.xs[Int(rows[index])], nodes.ys[Int(rows[index])])
            let home = layout.grid.tile(x, y)
            guard home.x == tile.x, home.y == tile.y else { continue }
            for grid in grids {
                let above = grid.tile(x, y)
                let shift = UInt32(layout.grid.zoom - grid.zoom)
                let usual = TileID(z: grid.zoom, x: home.x >> shift, y: home.y >> shift)
                guard above != usual else { continue }
                for tile in [above, usual] { broken.insert(Cover(tile)) }
            }
        }
    }

    /// Continues with the next zoom, and forgets tiles that are too many zooms above to cover its tiles.
    fileprivate mutating func begin(_ grid: TileGrid, covering own: Set<UInt64>) {
        covering[grid.zoom] = own
        grids.append(grid)
        let first = Int(grid.zoom) - Int(ClusterDescription.coveredZooms) + 1
        grids.removeAll { $0.zoom < first }
        covering = covering.filter { $0.key >= first }
    }
}

extension Cover {
    fileprivate init(_ tile: TileID) {
        self.init(zoom: tile.z, distance: Hilbert.distance(x: tile.x, y: tile.y, order: tile.z))
    }
}

extension ZoomLayout.Tile {
    /// Whether it is the tile of a shallower zoom or a part of it.
    func lies(in square: TileID, _ layout: ZoomLayout) -> Bool {
        let shift = UInt32(layout.grid.zoom - square.z)
        return x >> shift == square.x && y >> shift == square.y
    }
}

extension TileGrid {
    /// The tile that owns the unit nearest to a position.
    fileprivate func tile(_ x: UInt32, _ y: UInt32) -> TileID {
        TileID(
            z: zoom, x: UInt32(unitX(x) >> Int64(extentBits)),
            y: UInt32(unitY(y) >> Int64(extentBits)))
    }
}
