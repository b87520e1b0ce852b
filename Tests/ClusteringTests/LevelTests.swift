import ParallelColumns
import TestSupport
import Testing

@testable import Clustering

/// The order of a level's nodes, and what is found by it, against a look at every node.
struct LevelTests {
    private static func levels(_ seed: UInt64, isGrid: Bool = false) -> [PlacedLevel] {
        var random = SeededRandom(seed: seed)
        return PlacedLevel.Shape.allCases.flatMap { shape in
            [0x1p-20, 0x1p-6, 0x1p-2].flatMap { radius in
                [0, 1, Int.random(in: 2...50, using: &random)].map { count in
                    PlacedLevel(
                        shape, count: count,
                        bands: isGrid ? Bands(cellSide: radius) : Bands(radius: radius),
                        using: &random)
                }
            }
        }
    }

    @Test
    func `nodes come by band, then from west to east, then from north to south, then by rank`() {
        for level in Self.levels(540).map(\.level) {
            let keys = (0..<level.count).map { index in
                [
                    Double(level.band(of: index)), level.x[index], level.y[index],
                    Double(level.rank[index]),
                ]
            }
            #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
            // None is lost.
            #expect(
                (0..<level.count).map { level.node[$0].number }.sorted() == Array(0..<level.count))
        }
    }

    @Test func `a run is the rest of a band, and past the last node there is none`() {
        for level in Self.levels(550).map(\.level) {
            for start in 0..<level.count {
                let band = level.band(of: start)
                let rest = (start..<level.count).prefix { level.band(of: $0) == band }
                let run = level.run(startingAt: start)
                #expect(run.band == band && run.nodes == start..<start + rest.count)
            }
            let end = level.run(startingAt: level.count)
            #expect(end.band == .max && end.nodes == level.count..<level.count)
        }
    }

    @Test func `the first node from a band and an x on is found from wherever it is looked for`() {
        for level in Self.levels(560).map(\.level) {
            for target in 0..<level.count {
                let band = level.band(of: target)
                for (band, west) in [
                    (band, level.x[target]), (band, level.x[target].nextUp), (band, -1),
                    (band, 2), (band + 1, -1), (band - 1, level.x[target]), (-1, 0),
                ] {
                    let first = (0..<level.count).first {
                        level.band(of: $0) > band
                            || level.band(of: $0) == band && level.x[$0] >= west
                    }
                    #expect(level.firstIndex(band: band, x: west) == first ?? level.count)
                    for start in [-3, 0, target, level.count / 2, level.count, level.count + 3] {
                        let found = level.firstIndex(near: start, band: band, x: west)
                        #expect(found == first ?? level.count, "from \(start)")
                    }
                }
            }
        }
    }

    @Test func `cells of a grid are runs of nodes, and no cut goes through one`() {
        var random = SeededRandom(seed: 570)
        for level in Self.levels(570, isGrid: true).map(\.level) {
            let cells = GridCells(level: level)
            let side = level.bands.radius
            func cell(_ index: Int) -> [Double] {
                [level.x[index], level.y[index]].map { ($0 / side).rounded(.down) }
            }
            var start = 0
            var ends: Set = [0, level.count]
            while start < level.count {
                let run = cells.run(startingAt: start)
                #expect(run.lowerBound == start && run.allSatisfy { cell($0) == cell(start) })
                start = run.upperBound
                if start < level.count { #expect(cell(start) != cell(start - 1)) }
                ends.insert(start)
            }
            let middles = (0..<3).map { _ in Int.random(in: 0...level.count, using: &random) }
            let cuts = ([0, level.count] + middles).sorted()
            let pieces = zip(cuts, cuts.dropFirst()).map { $0..<$1 }.aligned(cells.isInCellBefore)
            #expect(pieces.flatMap(Array.init) == Array(0..<level.count))
            for piece in pieces { #expect(ends.contains(piece.upperBound)) }
        }
    }
}
