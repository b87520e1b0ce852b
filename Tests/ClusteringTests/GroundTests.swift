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
}
