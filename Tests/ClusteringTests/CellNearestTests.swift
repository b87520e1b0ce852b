import Clustering
import Geometry
import Points
import TestSupport
import Testing

/// Cells of clusters that stand at the point nearest to their mean: these look at all of their points again,
/// and may go further in one pass than any other.
struct CellNearestTests {
    /// Points of very different weights, so that means lie anywhere between them.
    static func points(
        _ count: Int, around middle: WorldPoint, side: Double, using random: inout SeededRandom
    ) -> [Samples.Point] {
        (0..<count).map { number in
            let place = WorldPoint(
                x: middle.x + (random.unit() - 0.5) * side,
                y: middle.y + (random.unit() - 0.5) * side)
            return Samples.Point(
                position: place.wrapped, weight: [1, 1, 30, 1_000][Int(random.next() % 4)],
                id: UInt64(number), attributes: [("value", .integer(Int64(number)))])
        }
    }

    @Test(arguments: 0..<4)
    func `clusters that stand at points are those of the whole world`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var sums = CellTests.Sums()
        for _ in 0..<max(3, ReferenceTests.cases / 40) {
            let cellZoom = Int.random(in: 2...4, using: &random)
            let side = 1 / Double(1 << cellZoom)
            // Now and then on the antimeridian.
            let middle = WorldPoint(
                x: side * Double(Int.random(in: 0..<1 << cellZoom, using: &random)),
                y: side * Double(Int.random(in: 1..<1 << cellZoom, using: &random)))
            let points = Self.points(
                Int.random(in: 100...400, using: &random), around: middle, side: 3 * side,
                using: &random)
            var options = ClusterOptions(
                radius: [32, 64].randomElement(using: &random)!,
                maxZoom: cellZoom + Int.random(in: 2...4, using: &random))
            options.position = .nearest
            options.inherit = ["value"]
            options.weighted = random.next() % 4 != 0
            options.algorithm = [.spaced, .greedy].randomElement(using: &random)!
            options.minPoints = [2, 2, 3].randomElement(using: &random)!
            var plan = CellPlan(
                cellZoom: cellZoom, depth: Int.random(in: 1...2, using: &random), options: options)
            plan.margin = Double.random(in: 1...10, using: &random)
            plan.passLimit = Int.random(in: 3...5, using: &random)
            sums.add(try CellTests.compare(points, options, plan), of: points.count)
        }
        #expect(sums.certain > 0)
    }
}
