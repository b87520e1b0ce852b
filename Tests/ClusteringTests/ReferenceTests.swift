import Clustering
import Foundation
import Geometry
import Points
import TestSupport
import Testing

struct ReferenceTests {
    /// Options at random, of those that agree with each other.
    static func options(using random: inout SeededRandom) -> ClusterOptions {
        var options = anyOptions(using: &random)
        while (try? options.validate()) == nil { options = anyOptions(using: &random) }
        return options
    }

    /// Options at random, each drawn by itself, whatever that makes of them together.
    static func anyOptions(using random: inout SeededRandom) -> ClusterOptions {
        var options = ClusterOptions(radius: 50, maxZoom: Int.random(in: 0...8, using: &random))
        options.minZoom = Int.random(in: 0...min(2, options.maxZoom), using: &random)
        options.radius = radii.randomElement(using: &random)!
        options.algorithm = ClusterOptions.Algorithm.allCases.randomElement(using: &random)!
        options.order = ClusterOptions.Order.allCases.randomElement(using: &random)!
        options.wrap = Bool.random(using: &random)
        options.weighted = Bool.random(using: &random)
        options.minPoints = [2, 2, 2, 3, 4, 5, 6].randomElement(using: &random)!
        options.position = positions.randomElement(using: &random)!
        options.minUniqueLocations = [1, 1, 1, 2, 3].randomElement(using: &random)!
        options.keepCoincident = Int.random(in: 0..<3, using: &random) == 0
        return options
    }

    static let radii: [Radius] = [
        40, 64, 300, 0, Radius(stops: [0: 80, 3: 20]), Radius(stops: [0: 50, 2: 40]),
    ]
    static let positions: [ClusterOptions.Position] = [
        .centroid, .anchor, .nearest, .max("value"), .min("value"),
    ]

    /// Options at random with groups where the points have some.
    static func options(
        for points: [Samples.Point], using random: inout SeededRandom
    ) -> ClusterOptions {
        var options = options(using: &random)
        let hasKinds = points.contains { $0.has("kind") }
        if hasKinds, Int.random(in: 0..<3, using: &random) == 0 { options.groupBy = "kind" }
        return options
    }

    /// How many cases each seed has: thousands in all, hundreds where the build is slow, or as many as
    /// the environment asks for.
    static let cases =
        ProcessInfo.processInfo.environment["COVEY_CASES"].flatMap(Int.init) ?? usualCases

    #if DEBUG
        private static let usualCases = 70
        static let largeSeeds: Range<UInt64> = 0..<2
        static let largeCount = 150
    #else
        private static let usualCases = 250
        static let largeSeeds: Range<UInt64> = 0..<3
        static let largeCount = 200
    #endif

    @Test(arguments: 0..<8)
    func `small trees equal those of the definition`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<Self.cases {
            let points = Samples.random(Int.random(in: 0...32, using: &random), using: &random)
            try Self.compare(points, Self.options(for: points, using: &random))
        }
    }

    @Test(arguments: ClusterOptions.Algorithm.allCases, largeSeeds)
    func `some large trees equal those of the definition`(
        algorithm: ClusterOptions.Algorithm, seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed &+ 40)
        let points = (0..<4).flatMap { _ in Samples.random(Self.largeCount, using: &random) }
        var options = Self.options(for: points, using: &random)
        while options.radius == 0 { options = Self.options(for: points, using: &random) }
        options.algorithm = algorithm
        if algorithm == .grid { options.radius = 64 }
        try Self.compare(points, options)
    }

    private static func compare(_ points: [Samples.Point], _ options: ClusterOptions) throws {
        let tree = try ClusterTree(of: Samples.table(points), options: options, threads: 1)
        let reference = BruteForce.levels(points, options: options)
        for zoom in options.minZoom...options.maxZoom {
            let isEqual = agree(tree, zoom, reference[zoom] ?? [], points, options)
            #expect(isEqual, "zoom \(zoom), \(options)")
        }
        checkInvariants(of: tree, points, options)
    }

    /// Whether the nodes of a zoom have the members and the positions that they must have.
    static func agree(
        _ tree: ClusterTree, _ zoom: Int, _ wanted: [BruteForce.Node], _ points: [Samples.Point],
        _ options: ClusterOptions
    ) -> Bool {
        let wanted = Dictionary(uniqueKeysWithValues: wanted.map { ($0.points.sorted(), $0) })
        let nodes = tree.nodes(at: zoom)
        return nodes.count == wanted.count
            && nodes.allSatisfy { node in
                guard let other = wanted[members(of: node, in: tree)] else { return false }
                let gap = PositionTests.distance(
                    position(of: node, in: tree, points), WorldPoint(x: other.x, y: other.y),
                    options)
                // A cluster begins with the point that it grew from.
                return gap < 1e-12 && isSeed(other.points[0], of: node, in: tree, points)
            }
    }

    /// Whether a node begins with that point, or with one at its position.
    private static func isSeed(
        _ seed: Int, of node: TreeNode, in tree: ClusterTree, _ points: [Samples.Point]
    ) -> Bool {
        guard case .cluster(let cluster) = node else { return true }
        let first = Int(tree.leafRows[tree.leafRange(of: cluster).lowerBound])
        return points[first].position == points[seed].position
    }

    static func position(
        of node: TreeNode, in tree: ClusterTree, _ points: [Samples.Point]
    ) -> WorldPoint {
        switch node {
        case .leaf(let leaf): points[Int(tree.leafRows[leaf])].position
        case .cluster(let cluster): WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster])
        }
    }

    static func members(of node: TreeNode, in tree: ClusterTree) -> [Int] {
        switch node {
        case .leaf(let leaf): [Int(tree.leafRows[leaf])]
        case .cluster(let cluster):
            tree.leafRange(of: cluster).map { Int(tree.leafRows[$0]) }.sorted()
        }
    }

    /// Those of clustering.md that a single tree can show.
    static func checkInvariants(
        of tree: ClusterTree, _ points: [Samples.Point], _ options: ClusterOptions
    ) {
        #expect(Set((0..<tree.leafCount).map { tree.leafRows[$0] }).count == points.count)
        for cluster in 0..<tree.clusterCount {
            let children = tree.children(of: cluster)
            var next = tree.leafRange(of: cluster).lowerBound
            for child in children {
                #expect(tree.parent(of: child) == cluster)
                switch child {
                case .leaf(let leaf):
                    #expect(leaf == next)
                    next += 1
                case .cluster(let inner):
                    #expect(tree.leafRange(of: inner).lowerBound == next)
                    #expect(tree.parentZooms[inner] == tree.zooms[cluster])
                    next = tree.leafRange(of: inner).upperBound
                }
            }
            #expect(next == tree.leafRange(of: cluster).upperBound)
        }
    }
}
