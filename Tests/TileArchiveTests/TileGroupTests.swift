import Geometry
import TestSupport
import Testing

@testable import TileArchive

/// Tiles that follow one another along the curve, reckoned with as a whole.
struct TileGroupTests {
    private func keys(_ tiles: [TileID]) -> [TileID] {
        tiles.sorted { ($0.z, $0.x, $0.tmsRow) < ($1.z, $1.x, $1.tmsRow) }
    }

    @Test func `squares and groups hold what a look at each tile says`() {
        var random = SeededRandom(seed: 21)
        for _ in 0..<400 {
            let zoom = UInt8.random(in: 0...6, using: &random)
            let all = UInt64(1) << (2 * UInt64(zoom))
            var runs: [TileRun] = []
            var next: UInt64 = 0
            while next < all, runs.count < 3 {
                let start = UInt64.random(in: next..<all, using: &random)
                let end = UInt64.random(in: start + 1...all, using: &random)
                runs.append(TileRun(zoom: zoom, distances: start..<end))
                next = end + 1
            }
            let tiles = keys(runs.flatMap { run in run.distances.map { run.tile(at: $0) } })
            var squares: [TileID] = []
            for run in runs {
                var parts = 0
                run.forEachSquare { square in
                    parts += 1
                    for x in square.columns {
                        for y in square.rows { squares.append(TileID(z: zoom, x: x, y: y)) }
                    }
                }
                #expect(parts <= 6 * Int(zoom) + 1)
            }
            #expect(keys(squares) == tiles)
            let group = TileGroup(runs)
            #expect(group.first == tiles[0] && group.count == tiles.count)
            #expect(group.columns.lowerBound == tiles[0].x)
            #expect(group.columns.upperBound == tiles.last?.x)
            if zoom < 4 {
                let along = runs.flatMap { run in run.distances.map { run.tile(at: $0) } }
                #expect(Array(group.tiles) == along)
            }
            #expect(Array(TileGroup(tiles[0]).tiles) == [tiles[0]])
            let rows = tiles.map(\.y)
            #expect(group.rows.lowerBound == rows.min() && group.rows.upperBound == rows.max())
            for most in [0, 1, 5, tiles.count, tiles.count + 3] {
                #expect(group.firsts(most) == Array(tiles.prefix(most)))
            }
        }
    }

    @Test func `a group of one tile has no runs, however it is made`() {
        let run = TileRun(zoom: 3, distances: 5..<6)
        for group in [TileGroup([run]), TileGroup(run.first)] {
            #expect(group.runs.isEmpty && group.count == 1 && group.first == run.first)
        }
        #expect(TileGroup([run, TileRun(zoom: 3, distances: 9..<11)]).runs.count == 2)
    }

    @Test func `the whole of the deepest zoom is one square`() {
        var squares: [TileSquare] = []
        TileRun(zoom: 31, distances: 0..<1 << 62).forEachSquare { squares.append($0) }
        let whole: ClosedRange<UInt32> = 0...UInt32(Int32.max)
        #expect(squares.map(\.columns) == [whole] && squares.map(\.rows) == [whole])
    }
}
