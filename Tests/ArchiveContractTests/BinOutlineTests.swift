import ArchiveContract
import Geometry
import TestSupport
import Testing

/// Outlines of bins in tiles, held against a look at every tile.
struct BinOutlineTests {
    @Test(
        arguments: [
            Bins(.hexagon, pixels: 60), Bins(.square, pixels: 40), Bins(.hexagon, pixels: 256),
        ], [0, 1, 3])
    func `a bin is in each tile that its box meets, once, and its corners lie where they are`(
        bins: Bins, zoom: Int
    ) {
        var random = SeededRandom(seed: UInt64(zoom) + 3)
        let grid = BinGrid(bins, zoom: zoom)
        let side = 1 << zoom
        for _ in 0..<60 {
            // The world's edges and any place.
            let x = [0.0, 0.9999, random.unit()][Int(random.next() % 3)]
            let y = [0.0001, 0.9999, random.unit()][Int(random.next() % 3)]
            let bin = grid.bin(at: WorldPoint(x: x, y: y))
            for buffer in [0, 16] as [Int64] {
                let outline = BinOutline(of: bin, in: grid, extentBits: 9, buffer: buffer)
                let world = Int64(512 * side)
                let (xs, ys) = (outline.corners.map(\.x), outline.corners.map(\.y))
                let (west, east) = (xs.min() ?? 0, xs.max() ?? 0)
                let (north, south) = (ys.min() ?? 0, ys.max() ?? 0)
                func meets(_ least: Int64, _ most: Int64, _ start: Int64) -> Bool {
                    least < start + 512 + buffer && most > start - buffer
                }
                var wanted: Set<TileID> = []
                for (column, row) in (0..<side * side).map({ ($0 % side, $0 / side) }) {
                    let turns = [-world, 0, world].filter {
                        meets(west + $0, east + $0, Int64(512 * column))
                    }
                    let tile = TileID(z: UInt8(zoom), x: UInt32(column), y: UInt32(row))
                    let rings = outline.rings(in: tile)
                    #expect(rings.count == turns.count)
                    for (ring, turn) in zip(rings.sorted { $0[0].x < $1[0].x }, turns) {
                        #expect(
                            ring.map(\.x) == xs.map { $0 + turn - Int64(512 * column) }
                                && ring.map(\.y) == ys.map { $0 - Int64(512 * row) })
                    }
                    if !turns.isEmpty, meets(north, south, Int64(512 * row)) { wanted.insert(tile) }
                }
                let tiles = outline.tiles
                #expect(Set(tiles).count == tiles.count)
                #expect(wanted.isSubset(of: tiles), "\(bin) \(buffer)")
                // A box that begins at an edge is taken to touch it.
                #expect(tiles.count <= wanted.count + 2 * side + 1)
            }
        }
    }
}
