import Clustering
import Geometry
import Points
import TestSupport
import Testing

/// Where clusters are drawn, and which of their points they copy attributes of.
struct PositionTests {
    struct Sample {
        let points: [Samples.Point]
        let options: ClusterOptions
        let tree: ClusterTree

        init(_ position: ClusterOptions.Position, using random: inout SeededRandom) throws {
            points = OptionTests.numbered(Int.random(in: 2...60, using: &random), using: &random)
            var options = ReferenceTests.options(using: &random)
            options.position = position
            options.inherit = ["n", "kind"]
            self.options = options
            tree = try ClusterTree(of: Samples.table(points), options: options, threads: 1)
        }

        /// The points of a cluster, in leaf order.
        func members(of cluster: Int) -> [Samples.Point] {
            tree.leafRange(of: cluster).map { points[Int(tree.leafRows[$0])] }
        }

        /// The point whose attributes a cluster has.
        func representative(of cluster: Int) throws -> Samples.Point {
            let number = tree.attributes.value(of: "n", row: cluster)?.asNumber
            let point = points[Int(try #require(number))]
            #expect(
                tree.attributes.value(of: "kind", row: cluster) == OptionTests.kind(of: point))
            return point
        }

        func position(of cluster: Int) -> WorldPoint {
            WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster])
        }
    }

    /// The value that `position` looks at.
    static func value(of point: Samples.Point) -> Double? {
        point.attributes.first { $0.0 == "value" }?.1.asNumber
    }

    @Test(arguments: 0..<4)
    func `the largest or smallest value represents a cluster`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for round in 0..<12 {
            let isMax = round % 2 == 0
            let sample = try Sample(isMax ? .max("value") : .min("value"), using: &random)
            for cluster in 0..<sample.tree.clusterCount {
                let members = sample.members(of: cluster)
                let values = members.compactMap(Self.value)
                let best = isMax ? values.max() : values.min()
                let wanted = members.first { Self.value(of: $0) == best }
                let found = try sample.representative(of: cluster)
                // Of equal ones the first in rank order, which is that of the leaves.
                #expect(found == wanted)
                #expect(sample.position(of: cluster) == found.position)
            }
        }
    }

    @Test(arguments: 0..<4)
    func `the point nearest to the mean represents a cluster`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<12 {
            let sample = try Sample(.nearest, using: &random)
            for cluster in 0..<sample.tree.clusterCount {
                let found = try sample.representative(of: cluster)
                #expect(sample.position(of: cluster) == found.position)
                let members = sample.members(of: cluster)
                let mean = Self.mean(of: members, sample.options)
                let distances = members.map { Self.distance($0.position, mean, sample.options) }
                let nearest = distances.min() ?? .nan
                #expect(Self.distance(found.position, mean, sample.options) <= nearest + 1e-12)
            }
        }
    }

    /// The weighted mean, the others taken on the side of the first.
    static func mean(of members: [Samples.Point], _ options: ClusterOptions) -> WorldPoint {
        var weights = members.map { options.weighted ? $0.weight : 1 }
        if weights.allSatisfy({ $0 == 0 }) { weights = weights.map { _ in 1 } }
        let total = weights.reduce(0, +)
        var mean = WorldPoint(x: 0, y: 0)
        for (point, weight) in zip(members, weights) {
            var x = point.position.x
            if options.wrap, abs(x - members[0].position.x) > 0.5 {
                x += x < members[0].position.x ? 1 : -1
            }
            mean.x += x * weight / total
            mean.y += point.position.y * weight / total
        }
        return mean
    }

    static func distance(_ a: WorldPoint, _ b: WorldPoint, _ options: ClusterOptions) -> Double {
        var gap = abs(a.x - b.x)
        if options.wrap { gap = min(gap, abs(1 - gap)) }
        return (gap * gap + (a.y - b.y) * (a.y - b.y)).squareRoot()
    }

    @Test(arguments: 0..<4)
    func `at centroid and anchor the point that it grew from represents a cluster`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        for round in 0..<12 {
            let sample = try Sample(round % 2 == 0 ? .anchor : .centroid, using: &random)
            for cluster in 0..<sample.tree.clusterCount {
                let first = sample.members(of: cluster)[0]
                #expect(try sample.representative(of: cluster) == first)
                if sample.options.position == .anchor {
                    #expect(sample.position(of: cluster) == first.position)
                }
            }
        }
    }
}
