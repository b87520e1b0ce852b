import Clustering
import Expressions
import Geometry
import JSON
import Points
import TestSupport
import Testing

/// Work that is cut into pieces, against work that is not: many bands, grid cells, runs of equal keys
/// and crowds lie across the ends of pieces.
struct SeamTests {
    /// A slow build still cuts into two pieces or more; a quick one into all that there are.
    #if DEBUG
        static let count = 17_000
        static let threads = [8]
        static let cases: [(ClusterOptions.Algorithm, ClusterOptions.Order, Int)] = [
            (.spaced, .stable, 2), (.greedy, .input, 4),
        ]
        static let crowd = 12_000
        static let deepest = 6
        static let algorithms: [ClusterOptions.Algorithm] = [.spaced]
        static let shallowest = 7
    #else
        static let count = 120_000
        static let threads = [2, 8]
        static let cases = ClusterOptions.Algorithm.allCases.flatMap { algorithm in
            ClusterOptions.Order.allCases.flatMap { order in
                [2, 4].map { (algorithm, order, $0) }
            }
        }
        static let crowd = 100_000
        static let deepest = 10
        static let algorithms = ClusterOptions.Algorithm.allCases
        static let shallowest = 4
    #endif

    /// Clumps, sites of several points, and points all over the world, in equal parts.
    static func points() -> [Samples.Point] {
        var random = SeededRandom(seed: 11)
        var points: [Samples.Point] = []
        while points.count < count / 3 * 2 { points += Samples.random(2_500, using: &random) }
        while points.count < count {
            points.append(
                Samples.Point(position: WorldPoint(x: random.unit(), y: random.unit())))
        }
        return points
    }

    @Test(arguments: cases)
    func `any number of threads gives the same tree`(
        algorithm: ClusterOptions.Algorithm, order: ClusterOptions.Order, minPoints: Int
    ) throws {
        let table = Samples.table(Self.points())
        var options = ClusterOptions(radius: 60, maxZoom: 9)
        options.algorithm = algorithm
        options.order = order
        options.minPoints = minPoints
        options.aggregates = [try Aggregate(parsing: "m=mean:value")]
        let one = try ClusterTree(of: table, options: options, threads: 1)
        #expect(one.clusterCount > Self.count / 100)
        for threads in Self.threads {
            let tree = try ClusterTree(of: table, options: options, threads: threads)
            #expect(DeterminismTests.areEqual(tree, one))
        }
    }

    /// Where a radius is small, a level has millions of bands and most hold one node; where it is
    /// large, few bands hold all nodes and each piece ends within one.
    @Test(arguments: [0.05, 4_000])
    func `thin and thick bands are cut alike`(radius: Double) throws {
        let table = Samples.table(Self.points())
        for algorithm in Self.algorithms {
            var options = ClusterOptions(radius: Radius(radius), minZoom: 3, maxZoom: 4)
            options.algorithm = algorithm
            let one = try ClusterTree(of: table, options: options, threads: 1)
            let tree = try ClusterTree(of: table, options: options, threads: 8)
            #expect(DeterminismTests.areEqual(tree, one) && one.clusterCount > 0)
        }
    }

    @Test(arguments: [true, false])
    func `nodes along one line are cut alike, whichever way it runs`(isMeridian: Bool) throws {
        var random = SeededRandom(seed: 14)
        let points = (0..<Self.count).map { _ in
            let along = random.unit()
            return Samples.Point(
                position: isMeridian
                    ? WorldPoint(x: 0.999_999, y: along) : WorldPoint(x: along, y: 0.25))
        }
        let table = Samples.table(points)
        let options = ClusterOptions(radius: 40, minZoom: Self.shallowest, maxZoom: 8)
        let one = try ClusterTree(of: table, options: options, threads: 1)
        let tree = try ClusterTree(of: table, options: options, threads: 8)
        #expect(DeterminismTests.areEqual(tree, one) && one.clusterCount > 100)
    }

    /// All that a cluster may have, so that a tree is compared whole.
    static func fullOptions(_ algorithm: ClusterOptions.Algorithm) throws -> ClusterOptions {
        var options = ClusterOptions(radius: 60, maxZoom: deepest)
        options.algorithm = algorithm
        options.weighted = true
        options.groupBy = "kind"
        options.keepCoincident = algorithm == .spaced
        options.minUniqueLocations = algorithm == .greedy ? 3 : 1
        options.position = algorithm == .grid ? .nearest : .max("value")
        options.inherit = ["value"]
        options.aggregates = try AggregateOperation.words.map {
            try Aggregate(parsing: "\($0)=\($0):\($0 == "histogram" ? "kind" : "value")")
        }
        options.clusterProperties = [
            try ClusterProperty(
                name: "long", json: [["+", ["accumulated"], ["get", "long"]], ["get", "value"]]),
            try ClusterProperty(name: "least", json: ["min", ["get", "value"]]),
        ]
        return options
    }

    @Test(arguments: algorithms)
    func `a whole tree is the same for any number of threads and any order of the input`(
        algorithm: ClusterOptions.Algorithm
    ) throws {
        var random = SeededRandom(seed: 13)
        let points = Self.points()
        let table = Samples.table(points)
        let shuffled = Samples.table(points.shuffled(using: &random))
        let options = try Self.fullOptions(algorithm)
        let tree = try ClusterTree(of: table, options: options, threads: 1)
        #expect(tree.clusterCount > Self.count / 100 && tree.groups.count == 4)
        let carried = options.aggregates.count + options.clusterProperties.count
        let placing = options.position == .max("value") ? 1 : 0
        #expect(tree.skippedValues.count == carried + placing)
        // Where a build is slow the order alone is another one, together with the threads.
        #if !DEBUG
            let other = try ClusterTree(of: table, options: options, threads: 8)
            #expect(DeterminismTests.areEqual(other, tree))
        #endif
        let mixed = try ClusterTree(of: shuffled, options: options, threads: 8)
        #expect(mixed.groups == tree.groups && mixed.skippedValues == tree.skippedValues)
        #expect(DeterminismTests.areAlike(mixed, shuffled, tree, table))
    }

    /// Quadratic work here would take minutes: all points are each other's neighbours, and no
    /// worker can decide its own without the others'.
    @Test func `a crowd that all workers share is decided quickly, and alike`() throws {
        var random = SeededRandom(seed: 12)
        let points = (0..<Self.crowd).map { _ -> Samples.Point in
            let offset = (x: random.unit() * 1e-6, y: random.unit() * 1e-6)
            return Samples.Point(position: WorldPoint(x: 0.5 + offset.x, y: 0.5 + offset.y))
        }
        let table = Samples.table(points)
        let options = ClusterOptions(radius: 40, maxZoom: 3)
        let one = try ClusterTree(of: table, options: options, threads: 1)
        #expect(one.clusterCount == 1 && Int(one.leaves[0]) == Self.crowd)
        #expect(
            DeterminismTests.areEqual(
                try ClusterTree(of: table, options: options, threads: 4), one))
    }
}
