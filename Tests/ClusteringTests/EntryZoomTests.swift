import Clustering
import Points
import TestSupport
import Testing

/// Points that take part in clusters from zooms of their own on.
struct EntryZoomTests {
    /// How many cases each seed has.
    #if DEBUG
        static let cases = 8
    #else
        static let cases = 60
    #endif

    /// What a cluster holds, and where it formed.
    struct Formed: Hashable {
        var zoom: Int
        var positions: [String]
    }

    /// The clusters of some zooms by what they hold.
    static func clusters(
        of tree: ClusterTree, _ points: PointTable, deeperThan zoom: Int
    ) -> Set<Formed> {
        var formed: Set<Formed> = []
        for cluster in 0..<tree.clusterCount {
            // Points that are kept together at one place take no part in this.
            guard zoom + 1..<ClusterOptions.deepestZoom ~= Int(tree.zooms[cluster]) else {
                continue
            }
            let rows = tree.leafRange(of: cluster).map { Int(tree.leafRows[$0]) }
            formed.insert(
                Formed(
                    zoom: Int(tree.zooms[cluster]),
                    positions: rows.map {
                        "\(points.position(of: $0)) \(points.ids?[$0] ?? PointTable.noID)"
                    }
                    .sorted()))
        }
        return formed
    }

    private static func areEqual(
        _ first: ClusterTree, _ second: ClusterTree, _ points: PointTable
    ) -> Bool {
        DeterminismTests.bytes(of: first, points) == DeterminismTests.bytes(of: second, points)
    }

    @Test(arguments: 0..<3)
    func `all from one zoom on is a tree of that zoom`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<Self.cases {
            let points = Samples.random(Int.random(in: 1...60, using: &random), using: &random)
            let table = Samples.table(points)
            var options = ReferenceTests.options(for: points, using: &random)
            let usual = options.maxZoom
            let plain = try ClusterTree(of: table, options: options, threads: 1)
            // A grid nests as deep as it is asked for, if at all.
            options.maxZoom = usual + 3
            guard (try? options.validate()) != nil else { continue }
            var zooms = EntryZooms(usual: usual, count: table.count)
            let none = try ClusterTree(of: table, options: options, entering: zooms, threads: 1)
            #expect(Self.areEqual(plain, none, table), "\(options)")
            guard options.order == .stable else { continue }
            for row in 0..<table.count { zooms.set(row, to: options.maxZoom) }
            let deep = try ClusterTree(of: table, options: options, threads: 1)
            let all = try ClusterTree(of: table, options: options, entering: zooms, threads: 1)
            #expect(Self.areEqual(deep, all, table), "\(options)")
        }
    }

    @Test(arguments: 0..<3)
    func `past the usual zoom only those are clustered that take part`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<Self.cases {
            let points = Samples.random(Int.random(in: 1...80, using: &random), using: &random)
            let table = Samples.table(points)
            var options = ReferenceTests.options(for: points, using: &random)
            options.order = .stable
            let usual = options.maxZoom
            options.maxZoom += 4
            guard (try? options.validate()) != nil else { continue }
            // By the position, so that points at one place are in the same crowd.
            let last = options.maxZoom
            func zoom(of point: Samples.Point) -> Int {
                point.position.x < 0.5 ? usual : point.position.y < 0.5 ? last : usual + 2
            }
            var zooms = EntryZooms(usual: usual, count: table.count)
            for (row, point) in points.enumerated() { zooms.set(row, to: zoom(of: point)) }
            let tree = try ClusterTree(of: table, options: options, entering: zooms, threads: 1)
            ReferenceTests.checkInvariants(of: tree, points, options)
            for cluster in 0..<tree.clusterCount
            where usual + 1..<ClusterOptions.deepestZoom ~= Int(tree.zooms[cluster]) {
                for leaf in tree.leafRange(of: cluster) {
                    let entered = zoom(of: points[Int(tree.leafRows[leaf])])
                    #expect(entered >= Int(tree.zooms[cluster]))
                }
            }
            // Down to where all of them take part, they fare as if they were alone.
            let early = points.filter { zoom(of: $0) == last }
            guard !early.isEmpty else { continue }
            if let group = options.groupBy, !early.contains(where: { $0.has(group) }) { continue }
            var deep = options
            deep.minZoom = usual + 3
            let alone = try ClusterTree(of: Samples.table(early), options: deep, threads: 1)
            #expect(
                Self.clusters(of: tree, table, deeperThan: usual + 2)
                    == Self.clusters(of: alone, Samples.table(early), deeperThan: usual + 2),
                "\(options)")
            let parallel = try ClusterTree(of: table, options: options, entering: zooms, threads: 3)
            #expect(Self.areEqual(tree, parallel, table))
        }
    }
}
