import Clustering
import Geometry
import Points
import TestSupport
import Testing

/// The promise of `spaced`, checked directly: no node has others within the radius with which
/// it could make a cluster.
struct SpacedTests {
    struct Node {
        var position: WorldPoint
        var points: Int
        var positions: Set<WorldPoint>
    }

    static func nodes(of tree: ClusterTree, _ zoom: Int, _ points: [Samples.Point]) -> [Node] {
        tree.nodes(at: zoom).map { node in
            let members = ReferenceTests.members(of: node, in: tree)
            return Node(
                position: ReferenceTests.position(of: node, in: tree, points),
                points: members.count,
                positions: Set(members.map { points[$0].position }))
        }
    }

    /// The nodes that should have become clusters.
    static func mergeable(_ nodes: [Node], _ radius: Double, _ options: ClusterOptions) -> [Int] {
        nodes.indices.filter { index in
            let near = nodes.indices.filter {
                $0 != index
                    && PositionTests.distance(nodes[$0].position, nodes[index].position, options)
                        <= radius * (1 - 1e-9)
            }.map { nodes[$0] }
            let group = near + [nodes[index]]
            return !near.isEmpty
                && group.reduce(0) { $0 + $1.points } >= options.minPoints
                && group.reduce(into: Set()) { $0.formUnion($1.positions) }.count
                    >= options.minUniqueLocations
        }
    }

    @Test(arguments: 0..<8)
    func `no nodes that could merge lie within the radius`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed &+ 100)
        for _ in 0..<(ReferenceTests.cases / 4) {
            let points = Samples.random(Int.random(in: 0...80, using: &random), using: &random)
            var options = ReferenceTests.options(using: &random)
            options.algorithm = .spaced
            options.position =
                [.centroid, .anchor, .nearest, .max("value")].randomElement(using: &random)!
            let tree = try ClusterTree(of: Samples.table(points), options: options, threads: 1)
            for zoom in options.minZoom...options.maxZoom {
                let radius = options.radius.distance(atZoom: zoom)
                let nodes = Self.nodes(of: tree, zoom, points)
                #expect(
                    Self.mergeable(nodes, radius, options).isEmpty, "zoom \(zoom), \(options)")
            }
        }
    }

    @Test func `greedy leaves some that spaced does not`() throws {
        var random = SeededRandom(seed: 2)
        let points = (0..<800).map { _ in
            Samples.Point(position: WorldPoint(x: random.unit(), y: random.unit()))
        }
        var options = ClusterOptions(radius: 20, maxZoom: 0)
        let radius = options.radius.distance(atZoom: 0)
        let found = try [ClusterOptions.Algorithm.greedy, .spaced].map { algorithm in
            options.algorithm = algorithm
            let tree = try ClusterTree(of: Samples.table(points), options: options)
            return Self.mergeable(Self.nodes(of: tree, 0, points), radius, options).count
        }
        #expect(found[0] > 0 && found[1] == 0)
    }

    @Test(arguments: 0..<8)
    func `the order of leaves of one cluster is the stable order`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            let points = Samples.random(Int.random(in: 2...60, using: &random), using: &random)
            var options = ClusterOptions(radius: 2_000, maxZoom: 0)
            options.weighted = Bool.random(using: &random)
            let tree = try ClusterTree(of: Samples.table(points), options: options)
            let found = (0..<tree.leafCount).map { points[Int(tree.leafRows[$0])] }
            let ranked = StableRank.order(of: points, weighted: options.weighted)
            var positions: [WorldPoint] = []
            for index in ranked where !positions.contains(points[index].position) {
                positions.append(points[index].position)
            }
            // Points at one site are always told apart by weight before anything else.
            let coincident = StableRank.order(of: points, weighted: true).map { points[$0] }
            let wanted = positions.flatMap { position in
                coincident.filter { $0.position == position }
            }
            #expect(found.map(\.position) == wanted.map(\.position))
            #expect(found.map(\.id) == wanted.map(\.id))
            #expect(found.map(\.weight) == wanted.map(\.weight))
        }
    }
}
