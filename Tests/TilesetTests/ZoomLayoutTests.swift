import Geometry
import ParallelColumns
import Points
import TestSupport
import Testing
import TileArchive
import Tileset

struct ZoomLayoutTests {
    /// Random nodes, many of them on the edges of tiles, each drawn at a few zooms.
    static func nodes(_ count: Int, seed: UInt64, in arena: Arena) -> TileNodes.Unsorted {
        var random = SeededRandom(seed: seed)
        let nodes = TileNodes.Unsorted(count: count, in: arena)
        for index in 0..<count {
            let cells = Double(1 << Int.random(in: 0...7, using: &random))
            func coordinate() -> Double {
                let anywhere = random.unit()
                guard index % 3 == 0 else { return anywhere }
                let offset = (random.unit() - 0.5) * 0.01
                return min(max((anywhere * cells).rounded() / cells + offset / cells, 0), 1)
            }
            let x = coordinate()
            let deepest = UInt8.random(in: 0...6, using: &random)
            nodes.set(
                index, x: x < 1 ? x : 0, y: coordinate(),
                from: Int.random(in: 0...Int(deepest), using: &random), through: Int(deepest))
        }
        return nodes
    }

    struct Copy: Hashable, Comparable {
        var tile: TileID
        var number: UInt32
        var x: Int32
        var y: Int32

        static func < (a: Copy, b: Copy) -> Bool {
            (a.tile.x, a.tile.tmsRow, a.number) < (b.tile.x, b.tile.tmsRow, b.number)
        }
    }

    /// What the layout should hold, found by asking every tile about every node.
    static func expected(_ nodes: TileNodes.Unsorted, _ grid: TileGrid) -> Set<Copy> {
        var copies: Set<Copy> = []
        let side = UInt32(1) << UInt32(grid.zoom)
        for number in 0..<nodes.count
        where (nodes.shallowest[number]...nodes.deepest[number]).contains(grid.zoom) {
            let (column, row) = (grid.unitX(nodes.xs[number]), grid.unitY(nodes.ys[number]))
            for x in 0..<side {
                for y in 0..<side {
                    let localX = grid.local(unitX: column, tile: x)
                    let localY = grid.local(unitY: row, tile: y)
                    let reach = -grid.buffer...grid.extent + grid.buffer
                    // At zoom 0 there are no copies beside the tile itself.
                    if reach.contains(Int64(localX)), reach.contains(Int64(localY)) {
                        copies.insert(
                            Copy(
                                tile: TileID(z: grid.zoom, x: x, y: y), number: UInt32(number),
                                x: localX, y: localY))
                    }
                }
            }
        }
        return copies
    }

    @Test(arguments: UInt8(0)...5, [0.0, 8, 100])
    func `each tile holds its nodes and its neighbours' margins, and no others`(
        zoom: UInt8, buffer: Double
    ) {
        let grid = TileGrid(zoom: zoom, bufferPixels: buffer)
        let workers = Workers(2, scratch: Arena())
        let unsorted = Self.nodes(600, seed: UInt64(zoom) + 10, in: workers.scratch)
        let nodes = TileNodes(unsorted, maxZoom: max(zoom, 5), workers: workers, precedes: <)
        let layout = ZoomLayout(of: nodes, grid: grid, order: .byColumn)
        var found: [Copy] = []
        for tile in layout.tiles {
            for index in tile.start..<tile.start + tile.count {
                let row = Int(layout.rows[Int(index)])
                found.append(
                    Copy(
                        tile: TileID(z: zoom, x: tile.x, y: tile.y), number: nodes.numbers[row],
                        x: grid.local(unitX: grid.unitX(nodes.xs[row]), tile: tile.x),
                        y: grid.local(unitY: grid.unitY(nodes.ys[row]), tile: tile.y)))
            }
        }
        #expect(Set(found).count == found.count)
        #expect(Set(found) == Self.expected(unsorted, grid))
        let order = layout.tiles.map { TileID(z: zoom, x: $0.x, y: $0.y) }
        #expect(order == order.sorted { ($0.x, $0.tmsRow) < ($1.x, $1.tmsRow) })
        #expect(Set(order).count == order.count)
    }

    @Test(arguments: [UInt8(0), 3, 14, 20, 24])
    func `every node has exactly one tile in which it is not a copy`(zoom: UInt8) {
        let grid = TileGrid(zoom: zoom, bufferPixels: 8)
        var random = SeededRandom(seed: 77)
        let workers = Workers(2, scratch: Arena())
        let unsorted = TileNodes.Unsorted(count: 5_000, in: workers.scratch)
        for node in 0..<5_000 {
            unsorted.set(node, x: random.unit(), y: random.unit(), from: 0, through: 24)
        }
        let nodes = TileNodes(unsorted, maxZoom: 24, workers: workers, precedes: <)
        let layout = ZoomLayout(of: nodes, grid: grid, order: .byColumn)
        var owned = 0
        for tile in layout.tiles {
            for index in tile.start..<tile.start + tile.count {
                let row = Int(layout.rows[Int(index)])
                let x = grid.local(unitX: grid.unitX(nodes.xs[row]), tile: tile.x)
                let y = grid.local(unitY: grid.unitY(nodes.ys[row]), tile: tile.y)
                if 0..<grid.extent ~= Int64(x), 0..<grid.extent ~= Int64(y) { owned += 1 }
            }
        }
        #expect(owned == 5_000)
    }
}
