import Geometry
import TestSupport
import Testing

@testable import Clustering

/// What a cell knows of the world, and how far what it does not know comes in.
struct GroundTests {
    /// A box that is wider than high, so that the axes cannot be taken for each other.
    private static let box = WorldBox(minX: 0.25, minY: 0.5, maxX: 0.5, maxY: 0.5625)
    private let ground = KnownGround(box, margin: 0.125, wraps: true)

    @Test(arguments: [
        (0.125, 0.53, 0.0), (0.2, 0.53, 0.075), (0.625, 0.53, 0), (0.5, 0.53, 0.125),
        (0.375, 0.375, 0), (0.375, 0.4, 0.025), (0.375, 0.6875, 0), (0.375, 0.65, 0.0375),
        (0.375, 0.3, -0.075), (0.375, 0.75, -0.0625), (0.1, 0.53, -0.475),
    ])
    func `a position is as deep in known ground as the nearest end is far`(
        x: Double, y: Double, depth: Double
    ) {
        #expect(abs(ground.depth(x, y) - depth) < 1e-12)
        #expect(ground.contains(x, y) == (depth >= 0))
    }

    @Test func `ground whose margins meet behind the world has no end to the east and west`() {
        for (margin, isWhole) in [(0.25, true), (0.3, true), (0.2, false)] {
            let band = WorldBox(minX: 0.25, minY: 0, maxX: 0.75, maxY: 1)
            #expect(KnownGround(band, margin: margin, wraps: true).isWhole == isWhole)
            #expect(!KnownGround(band, margin: 0.1, wraps: false).isWhole)
        }
        // On a flat world they end where it ends.
        let most = WorldBox(minX: 0.25, minY: 0.25, maxX: 0.75, maxY: 0.75)
        #expect(KnownGround(most, margin: 0.25, wraps: false).isWhole)
        #expect(!KnownGround(most, margin: 0.24, wraps: false).isWhole)
    }

    @Test func `what is unknown reaches in by as much as it has spread`() {
        var unknown = UnknownGround(beyond: ground)
        #expect(unknown.reaches(0.15, 0.53, within: 0.025) == true)
        #expect(unknown.reaches(0.15, 0.53, within: 0.024) == false)
        #expect(unknown.reaches(0.375, 0.4, within: 0.026) == true)
        #expect(unknown.reaches(0.375, 0.53, within: 0.15) == false)
        unknown.spread(by: 0.05, around: [])
        #expect(unknown.reaches(0.2, 0.53, within: 0.026) == true)
        #expect(unknown.reaches(0.2, 0.53, within: 0.024) == false)
        #expect(unknown.isFar(0.2, 0.53, from: 0.024) && !unknown.isFar(0.2, 0.53, from: 0.026))
    }

    @Test func `a node in doubt is a disk that grows, on both sides of the antimeridian`() {
        let world = KnownGround(
            WorldBox(minX: 0.9, minY: 0.25, maxX: 0.99, maxY: 0.75), margin: 0.2, wraps: true)
        var unknown = UnknownGround(beyond: world)
        #expect(unknown.clears(WorldBox(minX: 0.9, minY: 0.25, maxX: 0.99, maxY: 0.75), by: 0.1))
        unknown.spread(by: 0.01, around: [WorldPoint(x: 0.004, y: 0.5)])
        for (x, y, reach, isReached) in [
            (0.988, 0.5, 0.007, true), (0.988, 0.5, 0.005, false), (0.004, 0.485, 0.006, true),
            (0.004, 0.485, 0.004, false), (0.02, 0.5, 0.007, true), (0.02, 0.5, 0.005, false),
        ] {
            #expect(unknown.reaches(x, y, within: reach) == isReached, "\(x) \(y) \(reach)")
        }
        // The disk's middle is at 1.004, 14 thousandths east of the box.
        let box = WorldBox(minX: 0.9, minY: 0.25, maxX: 0.99, maxY: 0.75)
        #expect(unknown.clears(box, by: 0.003) && !unknown.clears(box, by: 0.005))
        let beside = WorldBox(minX: 0.01, minY: 0.25, maxX: 0.1, maxY: 0.75)
        #expect(!unknown.clears(beside, by: 0.001))
        unknown.spread(by: 0.002, around: [])
        #expect(unknown.clears(box, by: 0.001) && !unknown.clears(box, by: 0.003))
    }

    /// Numbers that binary fractions hold, so that the distance is met and not missed by a rounding.
    @Test func `what lies at the very edge of a disk is reached`() {
        let world = KnownGround(
            WorldBox(minX: 0.25, minY: 0.25, maxX: 0.75, maxY: 0.75), margin: 0.25, wraps: true)
        var unknown = UnknownGround(beyond: world)
        unknown.spread(by: 0.03125, around: [WorldPoint(x: 0.5, y: 0.5)])
        #expect(unknown.reaches(0.5625, 0.5, within: 0.03125))
        #expect(!unknown.reaches(0.5625, 0.5, within: 0.031))
        #expect(unknown.reaches(0.5, 0.4375, within: 0.03125))
    }

    /// Held against a plain look at how far each end is, and what is beyond it.
    @Test(arguments: 0..<4, [false, true])
    func `depth is the way to the nearest end that has anything behind it`(
        seed: UInt64, wraps: Bool
    ) {
        var random = SeededRandom(seed: seed + 70)
        for _ in 0..<60 {
            let xs = [random.unit(), random.unit()].sorted()
            let ys = [random.unit(), random.unit()].sorted()
            let margin = random.unit() * 0.3
            let box = WorldBox(minX: xs[0], minY: ys[0], maxX: xs[1], maxY: ys[1])
            let ground = KnownGround(box, margin: margin, wraps: wraps)
            var ends: [String: Double] = [:]
            if ys[0] - margin > 0 { ends["north"] = ys[0] - margin }
            if ys[1] + margin < 1 { ends["south"] = ys[1] + margin }
            if wraps, xs[1] - xs[0] + 2 * margin < 1 {
                (ends["west"], ends["east"]) = (xs[0] - margin, xs[1] + margin)
            } else if !wraps {
                if xs[0] - margin > 0 { ends["west"] = xs[0] - margin }
                if xs[1] + margin < 1 { ends["east"] = xs[1] + margin }
            }
            #expect(ground.isWhole == ends.isEmpty)
            #expect(ground.margin == (ends.isEmpty ? .infinity : margin))
            for _ in 0..<20 {
                let (x, y) = (random.unit(), random.unit())
                func depth(_ x: Double) -> Double {
                    [
                        ends["north"].map { y - $0 }, ends["south"].map { $0 - y },
                        ends["west"].map { x - $0 }, ends["east"].map { $0 - x },
                    ].compactMap(\.self).min() ?? .infinity
                }
                // On a world that wraps, the turn in which it lies deepest.
                let wanted = wraps ? [x - 1, x, x + 1].map(depth).max() ?? 0 : depth(x)
                guard wanted.isFinite else {
                    #expect(ground.depth(x, y) == .infinity)
                    continue
                }
                #expect(ground.contains(x, y) == (wanted >= 0), "\(x) \(y) \(wanted)")
                if wanted >= 0 { #expect(abs(ground.depth(x, y) - wanted) < 1e-12) }
            }
        }
    }

    /// Disks near the edge become part of what lies beyond it: more is unknown then, never less, and no
    /// more than a quarter of the radius.
    @Test(arguments: 0..<20)
    func `what is simplified is unknown as before, and little more`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let reach = 0.02
        var unknown = UnknownGround(beyond: ground)
        for _ in 0..<3 {
            let places = (0..<4).map { _ in
                WorldPoint(x: 0.125 + random.unit() * 0.5, y: 0.375 + random.unit() * 0.3125)
            }
            unknown.spread(by: reach, around: places)
        }
        var simple = unknown
        simple.simplify(for: reach)
        #expect(simple.spread >= unknown.spread && simple.spread <= unknown.spread + reach / 4)
        var more = 0
        for _ in 0..<2_000 {
            let (x, y) = (random.unit(), random.unit())
            let within = random.unit() * reach * 0.75
            let (before, after) = (
                unknown.reaches(x, y, within: within), simple.reaches(x, y, within: within)
            )
            #expect(after || !before)
            if after, !unknown.reaches(x, y, within: within + reach / 4) { more += 1 }
        }
        #expect(more == 0)
    }

    @Test func `of two boxes around the same points one that is half the world at most is told`() {
        for (xs, wanted) in [
            ([0.25, 0.75], [0.25, 0.75]), ([0.05, 0.3, 0.6], nil), ([0.1, 0.9], [0.9, 1.1]),
            ([0.1, 0.45, 0.9], nil), ([0.6, 0.9], [0.6, 0.9]), ([0.05, 0.56], [0.56, 1.05]),
            ([0.75, 0.3], [0.3, 0.75]), ([0.0, 0.25, 0.51], nil),
        ] as [([Double], [Double]?)] {
            var span = BoxSpan.empty
            for x in xs { span.include(WorldPoint(x: x, y: 0.5)) }
            let box = span.box(wraps: true)
            #expect((box == nil) == (wanted == nil), "\(xs)")
            if let box, let wanted {
                #expect(abs(box.minX - wanted[0]) < 1e-12 && abs(box.maxX - wanted[1]) < 1e-12)
            }
        }
    }

    @Test func `what looks at all points of a cluster, or at their order, is not cut`() throws {
        var options = ClusterOptions(radius: 40, maxZoom: 9)
        let positions: [ClusterOptions.Position] = [
            .centroid, .anchor, .nearest, .max("a"), .min("a"),
        ]
        for order in ClusterOptions.Order.allCases {
            for position in positions {
                (options.order, options.position) = (order, position)
                let isRefused = order == .input || position == .nearest
                #expect(((try? options.checkCells()) == nil) == isRefused)
            }
        }
    }

    @Test
    func `a cell looks around itself by radii of the cut, and more where nodes may be refused`() {
        var options = ClusterOptions(radius: 40, maxZoom: 9)
        let radius = options.radius.distance(atZoom: 5)
        for (algorithm, minPoints, minSites, radii) in [
            (.spaced, 2, 1, 26), (.greedy, 2, 1, 6), (.greedy, 3, 1, 9), (.greedy, 2, 2, 6),
            (.greedy, 2, 3, 9),
            (.grid, 2, 1, 6),
            (.spaced, 3, 1, 26),
        ] as [(ClusterOptions.Algorithm, Int, Int, Double)] {
            options.algorithm = algorithm
            options.minPoints = minPoints
            options.minUniqueLocations = minSites
            #expect(abs(options.cellMargin(cutZoom: 5, radii: nil) - radii * radius) < 1e-15)
            #expect(abs(options.cellMargin(cutZoom: 5, radii: 2.5) - 2.5 * radius) < 1e-15)
        }
        #expect(options.cellMargin(cutZoom: 9, radii: 1) > 0)
        #expect(options.cellMargin(cutZoom: 10, radii: 1) == 0)
    }
}
