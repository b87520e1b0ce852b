import Geometry
import JSON
import TestSupport
import Testing

@testable import Tileset

/// Boxes of clusters that hold points far from each other, with gaps of any width between them.
struct RandomBoxTests {
    /// The cut is at zoom 1, where a node may reach over a third of the world: the widest gap may lie within one.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `a box leaves out the widest gap, wherever it lies, or does not wrap`(seed: UInt64) throws
    {
        var random = SeededRandom(seed: seed + 500)
        for _ in 0..<3 {
            let middles = (0..<Int.random(in: 4...9, using: &random)).map { _ in random.unit() }
            let points = (0..<60).map { _ in
                let middle = middles.randomElement(using: &random)!
                let x = middle + 0.02 * random.unit()
                return SamplePoint(
                    place: WorldPoint(x: x - x.rounded(.down), y: 0.48 + 0.03 * random.unit())
                        .lonLat)
            }
            let radius = [160, 200, 250].randomElement(using: &random)!
            let builds = try CellBuildTests.Builds(
                [
                    (
                        points,
                        [
                            "clusters": [
                                "radius": .integer(Int64(radius)), "maxZoom": 1, "fields": ["bbox"],
                                "wrap": .bool(seed % 3 != 0),
                            ]
                        ]
                    )
                ], tiles: ["maxZoom": 3])
            #expect(try builds.areSameCut(zoom: 1), "\(middles.sorted())")
        }
    }
}
