import Clustering
import Expressions
import Geometry
import JSON
import Points
import TestSupport
import Testing

struct DeterminismTests {
    /// Everything that a tree says, row numbers replaced by what the rows hold.
    static func bytes(of tree: ClusterTree, _ points: PointTable) -> [String] {
        var lines: [String] = []
        for leaf in 0..<tree.leafCount {
            let row = Int(tree.leafRows[leaf])
            let position = points.position(of: row)
            lines.append(
                "\(position.x.bitPattern) \(position.y.bitPattern) \(points.ids?[row] ?? 0) "
                    + "\(points.weights?[row] ?? 1) \(record(points.attributes, row)) "
                    + "\(tree.leafParents[leaf]) \(tree.leafParentZooms[leaf])")
        }
        for cluster in 0..<tree.clusterCount {
            lines.append(
                "\(tree.firsts[cluster]) \(tree.zooms[cluster]) \(tree.leaves[cluster]) \(tree.parents[cluster]) "
                    + "\(tree.parentZooms[cluster]) \(tree.xs[cluster].bitPattern) "
                    + "\(tree.ys[cluster].bitPattern) \(tree.weights?[cluster].bitPattern ?? 0) "
                    + record(tree.attributes, cluster))
        }
        return lines
    }

    static func record(_ table: AttributeTable, _ row: Int) -> String {
        var text = ""
        var cursor = table[row].makeCursor()
        while let attribute = cursor.next() {
            text += "\(table.keys.name(of: attribute.key))=\(attribute.value.unpacked);"
        }
        return text
    }

    @Test(arguments: 0..<4)
    func `any permutation of the input gives the same tree`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            let points = Samples.random(Int.random(in: 1...80, using: &random), using: &random)
            var options = ReferenceTests.options(for: points, using: &random)
            options.order = .stable
            options.aggregates = try [
                "s=sum:value", "m=mean:value", "k=mode:kind", "h=histogram:kind",
                "f=first:kind", "c=concat:kind", "d=stddev:value",
            ].map { try Aggregate(parsing: $0) }
            options.inherit = ["value"]
            let table = Samples.table(points)
            let shuffled = Samples.table(points.shuffled(using: &random))
            let tree = try ClusterTree(of: table, options: options)
            let other = try ClusterTree(of: shuffled, options: options)
            #expect(
                Self.bytes(of: tree, table) == Self.bytes(of: other, shuffled), "\(options)")
            #expect(other.groups == tree.groups && other.skippedValues == tree.skippedValues)
        }
    }

    @Test(arguments: ClusterOptions.Algorithm.allCases, ClusterOptions.Order.allCases)
    func `any number of threads gives the same tree`(
        algorithm: ClusterOptions.Algorithm, order: ClusterOptions.Order
    ) throws {
        var random = SeededRandom(seed: 11)
        var points: [Samples.Point] = []
        for _ in 0..<8 { points += Samples.random(2_500, using: &random) }
        let table = Samples.table(points)
        var options = ClusterOptions(radius: 60, maxZoom: 12)
        options.algorithm = algorithm
        options.order = order
        options.aggregates = [try Aggregate(parsing: "m=mean:value")]
        for minPoints in [2, 4] {
            options.minPoints = minPoints
            let one = try ClusterTree(of: table, options: options, threads: 1)
            for threads in [2, 8] {
                let tree = try ClusterTree(of: table, options: options, threads: threads)
                #expect(Self.areEqual(tree, one))
            }
        }
    }

    /// All that a cluster may have, so that a tree is compared whole.
    static func fullOptions(_ algorithm: ClusterOptions.Algorithm) throws -> ClusterOptions {
        var options = ClusterOptions(radius: 60, maxZoom: 10)
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

    @Test(arguments: ClusterOptions.Algorithm.allCases)
    func `a whole tree is the same for any number of threads and any order of the input`(
        algorithm: ClusterOptions.Algorithm
    ) throws {
        var random = SeededRandom(seed: 13)
        var points: [Samples.Point] = []
        for _ in 0..<7 { points += Samples.random(2_500, using: &random) }
        let table = Samples.table(points)
        let shuffled = Samples.table(points.shuffled(using: &random))
        let options = try Self.fullOptions(algorithm)
        let tree = try ClusterTree(of: table, options: options, threads: 1)
        #expect(tree.clusterCount > 1_000 && tree.groups.count == 4)
        #expect(tree.skippedValues.count == 19)
        for threads in [2, 8] {
            let other = try ClusterTree(of: table, options: options, threads: threads)
            #expect(Self.areEqual(other, tree))
        }
        let wanted = Self.bytes(of: tree, table)
        for threads in [1, 8] {
            let other = try ClusterTree(of: shuffled, options: options, threads: threads)
            #expect(Self.bytes(of: other, shuffled) == wanted)
            #expect(other.groups == tree.groups && other.skippedValues == tree.skippedValues)
        }
    }

    /// Quadratic work here would take minutes: all points are each other's neighbours, and no
    /// worker can decide its own without the others'.
    @Test func `a crowd that all workers share is decided quickly, and alike`() throws {
        var random = SeededRandom(seed: 12)
        let points = (0..<40_000).map { _ -> Samples.Point in
            let offset = (x: random.unit() * 1e-6, y: random.unit() * 1e-6)
            return Samples.Point(position: WorldPoint(x: 0.5 + offset.x, y: 0.5 + offset.y))
        }
        let table = Samples.table(points)
        let options = ClusterOptions(radius: 40, maxZoom: 3)
        let one = try ClusterTree(of: table, options: options, threads: 1)
        #expect(one.clusterCount == 1 && one.leaves[0] == 40_000)
        #expect(Self.areEqual(try ClusterTree(of: table, options: options, threads: 4), one))
    }

    static func areEqual(_ a: ClusterTree, _ b: ClusterTree) -> Bool {
        func same<T: Equatable>(_ first: Column<T>, _ second: Column<T>) -> Bool {
            first.count == second.count && (0..<first.count).allSatisfy { first[$0] == second[$0] }
        }
        return same(a.leafRows, b.leafRows) && same(a.leafParents, b.leafParents)
            && same(a.leafParentZooms, b.leafParentZooms) && same(a.firsts, b.firsts)
            && same(a.leaves, b.leaves) && same(a.zooms, b.zooms) && same(a.parents, b.parents)
            && same(a.parentZooms, b.parentZooms) && same(a.xs, b.xs) && same(a.ys, b.ys)
            && same(a.weights ?? Column(), b.weights ?? Column())
            && a.groups == b.groups && a.skippedValues == b.skippedValues
            && (0..<a.clusterCount).allSatisfy {
                record(a.attributes, $0) == record(b.attributes, $0)
            }
    }
}
