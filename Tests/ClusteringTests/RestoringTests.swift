import Clustering
import Expressions
import Geometry
import JSON
import Points
import TestSupport
import Testing

/// A tree made again from its points and the intervals of its clusters.
struct RestoringTests {
    private static let aggregates = [
        "sum=sum:n", "low=min:n", "mean=mean:n", "spread=stddev:n", "mid=median:n",
        "kind=mode:kind", "by=histogram:kind", "kinds=distinct:kind", "one=first:kind",
    ]

    /// Random points around a few towns.
    private func table(_ count: Int) -> PointTable {
        var random = SeededRandom(seed: 41)
        var table = PointTable()
        let (n, kind) = (table.attributes.keys.intern("n"), table.attributes.keys.intern("kind"))
        var batch = PointBatch()
        for _ in 0..<count {
            let town = Double(Int.random(in: 1...9, using: &random)) / 10
            if random.unit() < 0.9 { batch.records.append(n, number: random.unit() * 100) }
            batch.records.append(kind, text: ["cafe", "bar", "inn"].randomElement(using: &random)!)
            batch.append(
                WorldPoint(x: town + random.unit() * 0.01, y: 0.5 + random.unit() * 0.01))
        }
        table.append(batch)
        return table
    }

    private func options() throws -> ClusterOptions {
        var options = ClusterOptions(radius: 60, maxZoom: 8)
        options.aggregates = try Self.aggregates.map { try Aggregate(parsing: $0) }
        options.clusterProperties = [
            try ClusterProperty(name: "most", json: ["max", ["get", "n"]])
        ]
        return options
    }

    @Test(arguments: [nil, "kind"])
    func `its clusters have the same attributes, bit for bit`(groupBy: String?) throws {
        var options = try options()
        let table = table(2_000)
        if let groupBy {
            options.groupBy = groupBy
            options.aggregates.removeAll { $0.name == groupBy }
        }
        var tally = FacetTally(try ["kind", "n:50", "kind=sum:n"].map { try Facet(parsing: $0) })
        tally.add(table)
        options.facets = try tally.layouts()
        let tree = try ClusterTree(of: table, options: options)
        var sorted = PointTable(keys: table.attributes.keys)
        sorted.append(tree.leafRows.span, of: table)
        let intervals = (0..<tree.clusterCount).map {
            ClusterTree.Interval(leaves: tree.leafRange(of: $0), zoom: Int(tree.zooms[$0]))
        }
        let restored = try #require(
            ClusterTree(
                restoring: intervals, over: sorted, aggregates: options.aggregates,
                clusterProperties: options.clusterProperties, facets: options.facets,
                groupBy: groupBy, threads: 2))
        for name in ["most", "#kind"] + (groupBy.map { [$0] } ?? []) {
            #expect(restored.attributes.value(of: name, row: 0) != nil)
        }
        #expect(tree.clusterCount > 100 && restored.clusterCount == tree.clusterCount)
        for cluster in 0..<tree.clusterCount {
            let same = tree.attributes.withRecord(of: cluster) { record in
                restored.attributes.withRecord(of: cluster) { other in
                    record.bytes.count == other.bytes.count
                        && record.bytes.indices.allSatisfy { record.bytes[$0] == other.bytes[$0] }
                }
            }
            #expect(same)
            #expect(restored.parents[cluster] == tree.parents[cluster])
            #expect(restored.parentZooms[cluster] == tree.parentZooms[cluster])
        }
        for leaf in 0..<tree.leafCount {
            #expect(restored.leafParents[leaf] == tree.leafParents[leaf])
        }
    }

    @Test(arguments: [
        [(0..<4, 1), (3..<6, 2)], [(0..<4, 2), (1..<3, 2)], [(0..<4, 1), (0..<4, 2)],
        [(2..<4, 1), (0..<2, 1)], [(0..<11, 1)], [(0..<4, 32)], [(0..<4, -1)],
    ])
    func `intervals that do not nest are refused`(intervals: [(Range<Int>, Int)]) throws {
        let tree = ClusterTree(
            restoring: intervals.map { .init(leaves: $0.0, zoom: $0.1) }, over: table(10),
            aggregates: [], clusterProperties: [], threads: 1)
        #expect(tree == nil)
    }

    @Test func `of no points there is a tree without clusters`() throws {
        let tree = try #require(
            ClusterTree(
                restoring: [], over: table(0), aggregates: [], clusterProperties: [], threads: 2))
        #expect(tree.clusterCount == 0 && tree.leafCount == 0 && tree.groups.isEmpty)
    }

    @Test(arguments: [(-1, false), (0, true), (31, true), (32, false)])
    func `a cluster is of a zoom that there is`(zoom: Int, isTree: Bool) {
        let table = table(2)
        let tree = ClusterTree(
            restoring: [.init(leaves: 0..<2, zoom: zoom)], over: table, aggregates: [],
            clusterProperties: [], threads: 1)
        #expect((tree != nil) == isTree)
        if let tree { #expect(tree.leafParentZooms[0] == Int8(zoom)) }
    }
}
