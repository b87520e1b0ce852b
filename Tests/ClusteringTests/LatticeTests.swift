import Clustering
import Geometry
import Points
import TestSupport
import Testing

/// Points on lattices, whose distances are the radius to the last bit, or off by the last bit of a mean:
/// there it shows whether means are summed up in the same order.
struct LatticeTests {
    /// A set of points and how they are clustered.
    private struct Case {
        var points: [Samples.Point] = []
        var radius = 80.0
        var maxZoom = 4
        var minPoints = 2

        init(using random: inout SeededRandom) {
            radius = [80, 80, 40, 64, 50].randomElement(using: &random)!
            maxZoom = Int.random(in: 0...4, using: &random)
            minPoints = [2, 2, 2, 3, 5].randomElement(using: &random)!
            // Steps of which the radius is a whole number at some zoom, or of degrees.
            let steps: [Double] = [
                1 / 64, 1 / 32, 0.15625, 0.15625 / 3, 1 / 128, 1 / 360, 0.25 / 360,
            ]
            let step = steps.randomElement(using: &random)!
            let side = Int.random(in: 2...16, using: &random)
            let count = Int.random(in: 2...PlainSupercluster.mostPoints, using: &random)
            let origins: [Double] = [0, 0.5, 0.1]
            let origin = origins.randomElement(using: &random)!
            for _ in 0..<count {
                let x = origin + step * Double(Int.random(in: 0..<side, using: &random))
                let y = origin + step * Double(Int.random(in: 0..<side, using: &random))
                points.append(Samples.Point(position: WorldPoint(x: min(x, 1), y: min(y, 1))))
            }
        }

        var tree: ClusterTree {
            get throws {
                var options = ClusterOptions(radius: Radius(radius), maxZoom: maxZoom)
                options.algorithm = .greedy
                options.order = .input
                options.wrap = false
                options.minPoints = minPoints
                return try ClusterTree(of: Samples.table(points), options: options)
            }
        }
    }

    #if DEBUG
        private static let count = 60
    #else
        private static let count = 400
    #endif

    @Test(arguments: 0..<10)
    func `every node of every zoom is Supercluster's, also where the last bit decides`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: 1_300 &+ seed)
        for number in 0..<Self.count {
            let set = Case(using: &random)
            let tree = try set.tree
            let plain = PlainSupercluster(
                set.points, radius: set.radius, maxZoom: set.maxZoom, minPoints: set.minPoints)
            for zoom in 0...set.maxZoom {
                let wanted = Set(plain.levels[zoom, default: []].map { $0.points.sorted() })
                let found = Set(
                    tree.nodes(at: zoom).map { ReferenceTests.members(of: $0, in: tree) })
                #expect(found == wanted, "set \(number), zoom \(zoom)")
            }
        }
    }
}
