import Clustering
import Geometry
import Points
import TestSupport
import Testing

struct OptionTests {
    static let kinds: [AttributeValue?] = [nil, .text("park"), .text("cafe"), .integer(7)]

    /// Points each of which tells its number as the attribute `n`.
    static func numbered(_ count: Int, using random: inout SeededRandom) -> [Samples.Point] {
        Samples.random(count, using: &random).enumerated().map { index, point in
            var point = point
            point.attributes.append(("n", .integer(Int64(index))))
            return point
        }
    }

    static func kind(of point: Samples.Point) -> AttributeValue? {
        point.attributes.first { $0.0 == "kind" }?.1
    }

    /// The numbers of the points of each node at each zoom.
    static func members(of tree: ClusterTree, _ leaves: Range<Int>) -> [Set<[Int]>] {
        (tree.minZoom...9).map { zoom in
            Set(
                tree.nodes(at: zoom).map { ReferenceTests.members(of: $0, in: tree) }
                    .filter { members in
                        leaves.contains { Int(tree.leafRows[$0]) == members[0] }
                    })
        }
    }

    @Test(arguments: 0..<4)
    func `each value of groupBy has the hierarchy of its points alone`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<10 {
            let points = Self.numbered(60, using: &random)
            let table = Samples.table(points)
            var options = ReferenceTests.options(using: &random)
            var grouped = options
            grouped.groupBy = "kind"
            let tree = try ClusterTree(of: table, options: grouped, threads: 1)
            #expect(Set(tree.groups.map(\.value)) == Set(points.map(Self.kind)))
            #expect(tree.groups.count == Set(points.map(Self.kind)).count)
            #expect(tree.groups.flatMap { Array($0.leaves) } == Array(0..<points.count))
            #expect(tree.groups.flatMap { Array($0.clusters) } == Array(0..<tree.clusterCount))
            options.groupBy = nil
            for group in tree.groups {
                let rows = points.indices.filter { Self.kind(of: points[$0]) == group.value }
                let alone = try ClusterTree(
                    of: Samples.table(rows.map { points[$0] }), options: options, threads: 1)
                let members = Self.members(of: alone, 0..<alone.leafCount).map { nodes in
                    Set(nodes.map { $0.map { rows[$0] } })
                }
                #expect(Self.members(of: tree, group.leaves) == members)
            }
        }
    }

    @Test func `groups come in an order of their own`() throws {
        var random = SeededRandom(seed: 12)
        let points = Self.numbered(60, using: &random)
        var options = ClusterOptions(radius: 60, maxZoom: 6)
        options.groupBy = "kind"
        let table = Samples.table(points)
        let tree = try ClusterTree(of: table, options: options)
        for _ in 0..<5 {
            let shuffled = Samples.table(points.shuffled(using: &random))
            let other = try ClusterTree(of: shuffled, options: options)
            #expect(other.groups == tree.groups)
            #expect(
                DeterminismTests.bytes(of: other, shuffled)
                    == DeterminismTests.bytes(of: tree, table))
        }
        #expect(tree.groups.first?.value == nil && tree.groups.count == 4)
        options.groupBy = "nothing"
        #expect(throws: ClusteringError.self) { try ClusterTree(of: table, options: options) }
    }

    @Test(arguments: [[], ["kind"]])
    func `clusters carry the value by which they are grouped`(inherit: [String]) throws {
        var random = SeededRandom(seed: 21)
        var points: [Samples.Point] = []
        for _ in 0..<4 { points += Samples.random(60, using: &random) }
        var options = ClusterOptions(radius: 60, maxZoom: 8)
        options.groupBy = "kind"
        options.inherit = inherit
        options.aggregates = [try Aggregate(parsing: "n=count")]
        let tree = try ClusterTree(of: Samples.table(points), options: options)
        #expect(tree.groups.filter { !$0.clusters.isEmpty }.count == 4)
        for group in tree.groups {
            for cluster in group.clusters {
                let record = AggregateValueTests.attributes(tree.attributes, cluster)
                #expect(record["kind"] == group.value)
                #expect(record["n"] == .integer(Int64(tree.leaves[cluster])))
                #expect(record.count == (group.value == nil ? 1 : 2))
            }
        }
        options.aggregates = [try Aggregate(parsing: "kind=mode:kind")]
        options.inherit = []
        #expect(throws: ClusteringError.self) { try options.validate() }
    }

    @Test(arguments: 0..<4)
    func `clusters hold as many sites as they must`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<10 {
            let points = Samples.random(60, using: &random)
            var options = ReferenceTests.options(using: &random)
            options.keepCoincident = false
            if options.radius == 0 { options.radius = 60 }
            options.minUniqueLocations = Int.random(in: 2...4, using: &random)
            let tree = try ClusterTree(of: Samples.table(points), options: options, threads: 1)
            for cluster in 0..<tree.clusterCount {
                let rows = tree.leafRange(of: cluster).map { Int(tree.leafRows[$0]) }
                #expect(Set(rows.map { points[$0].position }).count >= options.minUniqueLocations)
                #expect(rows.count >= options.minPoints)
            }
        }
    }

    @Test(arguments: 0..<4)
    func `points at one site stay together at every zoom`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<10 {
            let points = Samples.random(60, using: &random)
            var options = ReferenceTests.options(using: &random)
            options.minUniqueLocations = 1
            options.keepCoincident = true
            let table = Samples.table(points)
            let tree = try ClusterTree(of: table, options: options, threads: 1)
            var positions: [WorldPoint: [Int]] = [:]
            for leaf in 0..<tree.leafCount {
                positions[points[Int(tree.leafRows[leaf])].position, default: []].append(leaf)
            }
            for leaves in positions.values {
                guard leaves.count > 1 else {
                    #expect(tree.cluster(containing: leaves[0], zoom: 31) == nil)
                    continue
                }
                let cluster = try #require(tree.cluster(containing: leaves[0], zoom: 31))
                #expect(Array(tree.leafRange(of: cluster)) == leaves)
                #expect(tree.zooms[cluster] == 31)
                #expect(tree.isOneSite(cluster, in: table))
            }
        }
    }

    @Test(arguments: [
        Aggregate("a", .percentile(200), of: .attribute("n")),
        Aggregate("a", .percentile(-5), of: .attribute("n")),
        Aggregate("a", .percentile(.nan), of: .attribute("n")),
        Aggregate("a", .top(-1), of: .attribute("n")),
        Aggregate("a", .concat(limit: 0, separator: ""), of: .attribute("n")),
        Aggregate("a", .mean, of: .points), Aggregate("", .mean, of: .attribute("n")),
    ])
    func `an aggregate that makes no sense is refused, however it was made`(
        _ aggregate: Aggregate
    ) {
        var options = ClusterOptions(radius: 50)
        options.aggregates = [aggregate]
        #expect(throws: ClusteringError.self) { try options.validate() }
    }

    @Test func `a radius without stops is refused`() {
        let options = ClusterOptions(radius: Radius(stops: [:]))
        #expect(throws: ClusteringError.self) { try options.validate() }
    }
}
