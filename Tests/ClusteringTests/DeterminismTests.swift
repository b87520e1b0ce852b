import Clustering
import Geometry
import Points
import TestSupport
import Testing

struct DeterminismTests {
    /// Everything that a tree says, row numbers replaced by what the rows hold.
    static func bytes(of tree: ClusterTree, _ points: PointTable) -> [String] {
        var lines: [String] = []
        for leaf in 0..<tree.leafCount {
            let row = Int(tree.leafRows[leaf])
            let place = points.place(of: row)
            lines.append(
                "\(place.x.bitPattern) \(place.y.bitPattern) \(points.ids?[row] ?? 0) "
                    + "\(points.weights?[row] ?? 1) \(record(points.attributes, row)) "
                    + "\(tree.leafParents[leaf]) \(tree.leafParentZooms[leaf])")
        }
        for cluster in 0..<tree.clusterCount {
            lines.append(
                "\(tree.id(of: cluster)) \(tree.leaves[cluster]) \(tree.parents[cluster]) "
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
            var options = ReferenceTests.options(using: &random)
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
            let difference = zip(Self.bytes(of: tree, table), Self.bytes(of: other, shuffled))
                .first { $0 != $1 }
            #expect(difference == nil, "\(options)")
            #expect(tree.clusterCount == other.clusterCount)
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

    /// Quadratic work here would take minutes: all points are each other's neighbours, and no
    /// worker can decide its own without the others'.
    @Test func `a crowd that all workers share is decided quickly, and alike`() throws {
        var random = SeededRandom(seed: 12)
        let points = (0..<40_000).map { _ -> Samples.Point in
            let offset = (x: random.unit() * 1e-6, y: random.unit() * 1e-6)
            return Samples.Point(place: WorldPoint(x: 0.5 + offset.x, y: 0.5 + offset.y))
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
            && (0..<a.clusterCount).allSatisfy {
                record(a.attributes, $0) == record(b.attributes, $0)
            }
    }
}
