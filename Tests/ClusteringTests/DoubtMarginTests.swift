import Geometry
import TestSupport
import Testing

@testable import Clustering

/// How much ground around a cell is enough, and whether a part of it is known, by hand.
struct DoubtMarginTests {
    /// Why a cell fails that sees nothing at zooms of these radii.
    private static func failure(
        margin: Double, passing radii: [Double], _ options: ClusterOptions, passLimit: Int
    ) -> CellFailure? {
        let task = CellTask(
            cell: TileID(z: 3, x: 4, y: 4), cutZoom: 0, margin: margin, passLimit: passLimit)
        var doubt = Doubt(task, options, siteCount: 0)
        for radius in radii { doubt.passZoom(radius: radius) }
        return doubt.failure
    }

    /// What is unknown comes nearer by a radius with each pass, and must stay a radius away. Cells of a grid stay
    /// where they are.
    @Test(arguments: [
        (ClusterOptions.Algorithm.greedy, 5, 1), (.spaced, 3, 3), (.spaced, 1, 1), (.grid, 4, 0),
    ])
    func `a margin is wide enough from what all passes together take on`(
        algorithm: ClusterOptions.Algorithm, passLimit: Int, passes: Int
    ) {
        var options = ClusterOptions(radius: 64, maxZoom: 9)
        options.algorithm = algorithm
        for radii in [[0x1p-8], [0x1p-9, 0x1p-8], [0x1p-8, 0x1p-8, 0x1p-8], [0x1p-7, 0x1p-10]] {
            // What each zoom needs, and what those before it have taken.
            var (taken, needed) = (0.0, 0.0)
            for radius in radii {
                taken += Double(passes) * radius
                needed = max(needed, taken + radius)
            }
            for (share, isWide) in [(0.99, false), (1.01, true)] {
                let failure = Self.failure(
                    margin: needed * share, passing: radii, options, passLimit: passLimit)
                #expect((failure == nil) == isWide, "\(algorithm) \(radii) \(share)")
            }
        }
        #expect(Self.failure(margin: 1, passing: [0.25], options, passLimit: passLimit) == nil)
    }

    @Test(arguments: 0..<4, [false, true])
    func `a box is held where each of its corners is known, by as much as is asked for`(
        seed: UInt64, wraps: Bool
    ) {
        var random = SeededRandom(seed: seed + 720)
        var found = [false: 0, true: 0]
        for _ in 0..<300 {
            let (x, y) = (random.unit() * 0.7, random.unit() * 0.7)
            let side = WorldBox(minX: x, minY: y, maxX: x + 0.3, maxY: y + 0.3)
            let ground = KnownGround(side, margin: random.unit() * 0.25, wraps: wraps)
            let (west, north) = (random.unit() * 0.9, random.unit() * 0.9)
            let (east, south) = (west + random.unit() * 0.1, north + random.unit() * 0.1)
            let slack = random.unit() * 0.02
            let corners = [(west, north), (east, north), (west, south), (east, south)]
            let depth = corners.map { ground.depth($0, $1) }.min() ?? 0
            guard abs(depth - slack) > 1e-9 else { continue }
            let isHeld = ground.holds(west...east, north...south, slack: slack)
            #expect(isHeld == (depth > slack), "\(ground) \(west)...\(east) \(north)...\(south)")
            found[isHeld, default: 0] += 1
        }
        #expect(found.values.allSatisfy { $0 > 30 })
    }
}
