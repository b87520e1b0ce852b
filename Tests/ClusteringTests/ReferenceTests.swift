import Clustering
import Geometry
import Points
import TestSupport
import Testing

struct ReferenceTests {
    /// Options at random, of those that agree with each other.
    static func options(using random: inout SeededRandom) -> ClusterOptions {
        var options = ClusterOptions(radius: 50, maxZoom: Int.random(in: 0...8, using: &random))
        options.minZoom = Int.random(in: 0...min(2, options.maxZoom), using: &random)
        options.radius = [40, 60, 300, 0, Radius(stops: [0: 80, 3: 20])].randomElement(
            using: &random)!
        options.algorithm = ClusterOptions.Algorithm.allCases.randomElement(using: &random)!
        if options.algorithm == .grid { options.radius = 64 }
        options.order = ClusterOptions.Order.allCases.randomElement(using: &random)!
        options.wrap = Bool.random(using: &random)
        options.weighted = Bool.random(using: &random)
        options.minPoints = [2, 2, 3, 6].randomElement(using: &random)!
        options.position = [.centroid, .anchor].randomElement(using: &random)!
        if Bool.random(using: &random) {
            options.minUniqueLocations = [1, 2, 3].randomElement(using: &random)!
        } else {
            options.keepCoincident = Bool.random(using: &random)
        }
        return options
    }

    @Test(arguments: 0..<8)
    func `small trees equal those of the definition`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<25 {
            let points = Samples.random(Int.random(in: 0...60, using: &random), using: &random)
            let options = Self.options(using: &random)
            let table = Samples.table(points)
            let tree = try ClusterTree(of: table, options: options, threads: 1)
            // Ranks of order stable are read from a tree in which everything is one cluster.
            let order = try Self.visitingOrder(of: table, options)
            let reference = BruteForce(points, order: order, options: options)
            for zoom in options.minZoom...options.maxZoom {
                let wanted = try #require(reference.levels[zoom])
                let found = tree.nodes(at: zoom).map { Self.members(of: $0, in: tree) }
                let difference = Set(found).symmetricDifference(wanted.map { $0.points.sorted() })
                #expect(difference.isEmpty, "zoom \(zoom), \(options)")
            }
            Self.checkInvariants(of: tree, points, options)
        }
    }

    static func members(of node: TreeNode, in tree: ClusterTree) -> [Int] {
        switch node {
        case .leaf(let leaf): [Int(tree.leafRows[leaf])]
        case .cluster(let cluster):
            tree.leafRange(of: cluster).map { Int(tree.leafRows[$0]) }.sorted()
        }
    }

    /// The points in rank order: the leaf order of the one cluster of a radius past the world.
    static func visitingOrder(of table: PointTable, _ options: ClusterOptions) throws -> [Int] {
        var wide = ClusterOptions(radius: 2_000, maxZoom: 0)
        wide.algorithm = .greedy
        wide.order = options.order
        wide.weighted = options.weighted
        wide.wrap = false
        let tree = try ClusterTree(of: table, options: wide)
        return (0..<tree.leafCount).map { Int(tree.leafRows[$0]) }
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
            #expect(tree.cluster(withID: tree.id(of: cluster)) == cluster)
        }
    }
}
