import Clustering
import Geometry
import Points
import TestSupport
import Testing

/// A shard sees the points of its region and a margin around it, and nothing of the world beyond.
struct RegionTests {
    /// What a node is, in words that do not depend on which points were given.
    private static func nodes(
        of tree: ClusterTree, _ points: [Samples.Point], at zoom: Int, in region: WorldBox
    ) -> [String] {
        tree.nodes(at: zoom).compactMap { node in
            let position = ReferenceTests.position(of: node, in: tree, points)
            let isInside =
                (region.minX..<region.maxX).contains(position.x)
                && (region.minY..<region.maxY).contains(position.y)
            guard isInside else { return nil }
            let ids = ReferenceTests.members(of: node, in: tree).map { points[$0].id }
            var text = "\(position.x.bitPattern) \(position.y.bitPattern) \(ids)"
            if case .cluster(let cluster) = node {
                text += " \(tree.zooms[cluster]) \(tree.weights?[cluster].bitPattern ?? 0) "
                text += DeterminismTests.record(tree.attributes, cluster)
            }
            return text
        }
    }

    @Test(arguments: ClusterOptions.Algorithm.allCases, [false, true])
    func `a region and its margin have the nodes that the world has there`(
        algorithm: ClusterOptions.Algorithm, atDateLine: Bool
    ) throws {
        var random = SeededRandom(seed: 17)
        let world = (0..<6_000).map { number in
            Samples.Point(
                position: WorldPoint(x: random.unit(), y: random.unit()),
                weight: Double(1 + random.next() % 3), id: UInt64(number),
                attributes: [("v", .integer(Int64(random.next() % 9)))])
        }
        var options = ClusterOptions(radius: 40, maxZoom: 7)
        options.minZoom = 4
        options.algorithm = algorithm
        options.weighted = true
        options.aggregates = [
            try Aggregate(parsing: "s=sum:v"), try Aggregate(parsing: "m=mode:v"),
        ]
        // In the middle of the world, or up against its edge and with a margin on the other side.
        let west = atDateLine ? 0.0 : 0.4
        let region = WorldBox(minX: west, minY: 0.4, maxX: west + 0.15, maxY: 0.55)
        let margin = 12 * options.radius.distance(atZoom: options.minZoom)
        let known = world.filter { point in
            let x = point.position.x - (point.position.x - west - 0.075).rounded()
            return (region.minX - margin...region.maxX + margin).contains(x)
                && (region.minY - margin...region.maxY + margin).contains(point.position.y)
        }
        #expect(known.count < world.count / 2)
        let all = try ClusterTree(of: Samples.table(world), options: options)
        let shard = try ClusterTree(of: Samples.table(known), options: options)
        for zoom in options.minZoom...options.maxZoom {
            let wanted = Self.nodes(of: all, world, at: zoom, in: region)
            #expect(wanted.count > 20)
            #expect(Set(Self.nodes(of: shard, known, at: zoom, in: region)) == Set(wanted))
        }
    }
}
