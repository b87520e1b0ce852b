import Clustering
import Geometry
import Points
import TestSupport
import Testing

struct EdgeTests {
    static func tree(
        _ positions: [WorldPoint], weight: Double = 1, firstLeaf: Int = 0,
        _ change: (inout ClusterOptions) -> Void = { _ in }
    ) throws -> ClusterTree {
        var options = ClusterOptions(radius: 50, maxZoom: 4)
        change(&options)
        let points = positions.map { Samples.Point(position: $0, weight: weight) }
        return try ClusterTree(of: Samples.table(points), options: options, firstLeaf: firstLeaf)
    }

    static let pair = [WorldPoint(x: 0.5, y: 0.5), WorldPoint(x: 0.5, y: 0.5001)]

    @Test(arguments: [0, 1, 5])
    func `clustering gives up before the zoom at which it is told to`(after zooms: Int) {
        var options = ClusterOptions()
        options.maxZoom = 9
        var random = SeededRandom(seed: 3)
        let points = Samples.table(Samples.random(200, using: &random))
        var asked: [Int] = []
        #expect(throws: ClusteringError.cancelled) {
            try ClusterTree(of: points, options: options) {
                asked.append($0)
                return asked.count <= zooms
            }
        }
        #expect(asked == (0...zooms).map { 9 - $0 })
    }

    @Test func `no points and one point give trees without clusters`() throws {
        #expect(try Self.tree([]).leafCount == 0)
        let one = try Self.tree([WorldPoint(x: 0.5, y: 0.5)])
        #expect(one.leafCount == 1 && one.clusterCount == 0 && one.nodes(at: 0) == [.leaf(0)])
    }

    /// A radius of more than half the world looks half the world to the west and no further; who
    /// stands just there does not hide those behind.
    @Test(arguments: [(0.6, 0.3, 0.5), (0.4, 0.9, 0.8)])
    func `a neighbour half a world away hides no others`(
        own: Double, opposite: Double, near: Double
    ) throws {
        let positions = [(0.75, own), (0.25, opposite), (0.6, near)].map {
            WorldPoint(x: $0.0, y: $0.1)
        }
        let tree = try Self.tree(positions) {
            $0.radius = 300
            $0.maxZoom = 0
            $0.order = .input
        }
        #expect(tree.clusterCount == 1 && tree.leaves[0] == 3)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `a coordinate that is no number is refused by its row`(bad: Double) {
        #expect(throws: ClusteringError.coordinateNotFinite(row: 1)) {
            try Self.tree([WorldPoint(x: 0, y: 0), WorldPoint(x: bad, y: 0)])
        }
    }

    @Test(arguments: [-1, Double.infinity])
    func `a weight below zero or without end is refused`(bad: Double) {
        #expect(throws: ClusteringError.weightNotUsable(row: 0, weight: bad)) {
            try Self.tree(Self.pair, weight: bad) { $0.weighted = true }
        }
    }

    @Test func `weights that add up past the largest number are refused`() throws {
        #expect(throws: ClusteringError.weightsTooLarge) {
            try Self.tree(Self.pair, weight: 1e308) { $0.weighted = true }
        }
        let tree = try Self.tree(Self.pair, weight: 8e307) { $0.weighted = true }
        #expect(tree.clusterCount == 1 && abs(tree.ys[0] - 0.50005) < 1e-12)
    }

    @Test func `longitudes wrap and latitudes stop at the edge`() throws {
        let tree = try Self.tree([WorldPoint(x: 1.25, y: -3), WorldPoint(x: 0.25, y: 0)])
        #expect(tree.clusterCount == 1 && tree.xs[0] == 0.25 && tree.ys[0] == 0)
    }

    @Test func `positions that must be wrapped cluster as those that are used as they are`() throws
    {
        var random = SeededRandom(seed: 31)
        // So many bits stay exact on the way round the world.
        let positions = (0..<500).map { _ -> WorldPoint in
            let x = Double(Int.random(in: 0..<1 << 20, using: &random)) * 0x1p-20
            return WorldPoint(x: x, y: random.unit())
        }
        let tree = try Self.tree(positions)
        #expect(tree.clusterCount > 10)
        for worlds in [-1.0, 1] {
            let moved = positions.map { WorldPoint(x: $0.x + worlds, y: $0.y) }
            #expect(DeterminismTests.areEqual(try Self.tree(moved), tree))
        }
    }

    @Test func `zero and negative zero are one position`() throws {
        let positions = [
            WorldPoint(x: 0, y: 0), WorldPoint(x: -0.0, y: 0), WorldPoint(x: 0, y: -0.0),
        ]
        let tree = try Self.tree(positions) { $0.keepCoincident = true }
        #expect(tree.clusterCount == 1 && tree.leaves[0] == 3 && tree.zooms[0] == 31)
    }

    @Test func `neighbours across the antimeridian meet at it`() throws {
        let positions = [WorldPoint(x: 0.9999, y: 0.5), WorldPoint(x: 0.0001, y: 0.5)]
        let tree = try Self.tree(positions)
        #expect(tree.clusterCount == 1 && min(tree.xs[0], 1 - tree.xs[0]) < 1e-12)
        #expect(try Self.tree(positions) { $0.wrap = false }.clusterCount == 0)
        let edge = [179.9, 180].map { WorldPoint(LonLat(longitude: $0, latitude: 0)) }
        let flat = try Self.tree(edge) { $0.wrap = false }
        #expect(flat.clusterCount == 1 && abs(flat.xs[0] - (edge[0].x + 1) / 2) < 1e-15)
        let other = [edge[0], WorldPoint(LonLat(longitude: -180, latitude: 0))]
        #expect(try Self.tree(other) { $0.wrap = false }.clusterCount == 0)
        #expect(try Self.tree(other).clusterCount == 1)
    }

    @Test func `a radius of 0 joins coincident points only and one past the world joins all`()
        throws
    {
        let positions = Self.pair + [Self.pair[0]]
        #expect(try Self.tree(positions) { $0.radius = 0 }.leaves[0] == 2)
        let all = try Self.tree(positions + [WorldPoint(x: 0.1, y: 0.9)]) { $0.radius = 1e6 }
        #expect(all.clusterCount == 1 && all.leaves[0] == 4 && all.zooms[0] == 4)
    }

    @Test func `leaves are counted from the tree's first, wherever that stands`() throws {
        let tree = try Self.tree(Self.pair, firstLeaf: 1 << 40)
        #expect(tree.firstLeaf == 1 << 40 && tree.firsts[0] == 0)
    }

    @Test func `options that contradict each other are refused`() {
        #expect(throws: ClusteringError.self) {
            try Self.tree(Self.pair) {
                $0.keepCoincident = true
                $0.minUniqueLocations = 2
            }
        }
        #expect(throws: ClusteringError.self) {
            try Self.tree(Self.pair) {
                $0.algorithm = .grid
                $0.radius = Radius(stops: [0: 50, 3: 40])
            }
        }
        #expect(throws: ClusteringError.self) {
            try Self.tree(Self.pair) {
                $0.radius = 0
                $0.minUniqueLocations = 2
            }
        }
        #expect(throws: ClusteringError.self) { try Self.tree(Self.pair) { $0.minPoints = 1 } }
        #expect(throws: ClusteringError.self) { try Self.tree(Self.pair) { $0.maxZoom = 31 } }
    }

    @Test func `points at one site stay together where asked`() throws {
        let tree = try Self.tree([Self.pair[0], Self.pair[0]]) { $0.keepCoincident = true }
        #expect(tree.clusterCount == 1 && tree.zooms[0] == 31 && tree.parentZooms[0] == -1)
    }
}

struct AggregateTests {
    static func attributes(_ aggregates: [String], _ values: [AttributeValue?]) throws -> String {
        let points = values.map { value in
            Samples.Point(
                position: WorldPoint(x: 0.5, y: 0.5), attributes: value.map { [("v", $0)] } ?? [])
        }
        var options = ClusterOptions(radius: 50, maxZoom: 0)
        options.order = .input
        options.reservedNames = ["point_count", "cluster"]
        options.aggregates = try aggregates.map { try Aggregate(parsing: $0) }
        let tree = try ClusterTree(of: Samples.table(points), options: options)
        return DeterminismTests.record(tree.attributes, 0)
    }

    @Test func `numbers are reduced, what is missing or no number is skipped`() throws {
        let values: [AttributeValue?] = [.integer(1), .text("x"), nil, .integer(3), .integer(8)]
        let found = try Self.attributes(
            [
                "c=count:v", "s=sum:v", "l=min:v", "h=max:v", "m=mean:v", "e=variance:v",
                "p=median:v",
            ],
            values)
        #expect(
            found == "c=integer(4);s=integer(12);l=integer(1);h=integer(8);m=integer(4);"
                + "e=number(\(26.0 / 3));p=integer(3);")
    }

    @Test func `texts are tallied`() throws {
        let values: [AttributeValue?] = ["b", "a", "b", "a", "c"].map { .text($0) }
        let found = try Self.attributes(
            ["k=mode:v", "d=distinct:v", "f=first:v", "t=top2:v", "j=concat2:v", "h=histogram:v"],
            values)
        #expect(
            found == "k=text(\"a\");d=integer(3);f=text(\"b\");t=text(\"a, b\");j=text(\"b, a\");"
                + "h:a=integer(2);h:b=integer(2);h:c=integer(1);")
    }

    @Test func `a text of values has the separator that is asked for`() throws {
        let values: [AttributeValue?] = ["b", "a", "b", "c"].map { .text($0) }
        let found = try Self.attributes(["j=concat / :v", "k=concat2|:v", "l=concat1:v"], values)
        #expect(found == "j=text(\"b / a / c\");k=text(\"b|a\");l=text(\"b\");")
        // What stands between may end with a digit, and not begin with one, of any script.
        #expect(AggregateOperation("concat\u{663}") == nil)
        for word in [
            "concat", "concat2", "concat / ", "concat7;", "top", "top7", "median", "p1", "concat/2",
        ] {
            #expect(AggregateOperation(word)?.description == word)
        }
    }

    @Test func `names of clusters' attributes that meet are refused`() throws {
        for names in [["cluster=sum:v"], ["a=sum:v", "a=min:v"], ["a=histogram:v", "a:b=sum:v"]] {
            #expect(throws: ClusteringError.self) { try Self.attributes(names, [.integer(1)]) }
        }
        let found = try Self.attributes(["a=histogram:v", "ab=sum:v"], [.integer(1), .integer(1)])
        #expect(found == "a:1=integer(2);ab=integer(2);")
    }

    @Test(arguments: [
        "s", "=sum:v", "s=sun:v", "s=sum", "s=sum:", "s=concat0:v", "s=concatt:v", "s=concat1e3:v",
        "s=top0:v", "s=p101:v",
    ])
    func `an aggregate that cannot be read is refused`(text: String) {
        #expect(throws: ClusteringError.self) { try Aggregate(parsing: text) }
    }

    @Test(arguments: [
        (0, -1.0), (0, .nan), (0, .infinity), (-1, 40), (3, -0.001), (0, 0x1p41.nextUp),
    ])
    func `a radius is at a zoom that there is, and no wider than the world`(
        zoom: Int, pixels: Double
    ) throws {
        var options = ClusterOptions()
        options.radius = Radius(stops: [zoom: pixels])
        #expect(throws: ClusteringError.self) { try options.validate() }
        options.radius = Radius(stops: [0: 0x1p41])
        try options.validate()
    }
}
