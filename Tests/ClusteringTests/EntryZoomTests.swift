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

    /// Points with options of their own, and with those that have clusters some zooms deeper.
    private struct Case {
        let points: [Samples.Point]
        let table: PointTable
        let usual: ClusterOptions
        let deeper: ClusterOptions

        init(
            of count: ClosedRange<Int>, deeper zooms: Int, order: ClusterOptions.Order?,
            using random: inout SeededRandom
        ) {
            points = Samples.random(Int.random(in: count, using: &random), using: &random)
            table = Samples.table(points)
            var options = ReferenceTests.options(for: points, using: &random)
            options.order = order ?? options.order
            usual = options
            options.maxZoom += zooms
            deeper = options
        }

        func tree(
            _ options: ClusterOptions, entering zoom: ((Samples.Point) -> Int)? = nil,
            threads: Int = 1
        ) throws -> ClusterTree {
            var zooms = EntryZooms(usual: usual.maxZoom, count: table.count)
            if let zoom {
                for (row, point) in points.enumerated() { zooms.set(row, to: zoom(point)) }
            }
            return try ClusterTree(of: table, options: options, entering: zooms, threads: threads)
        }
    }

    private static func samples(
        _ seed: UInt64, of count: ClosedRange<Int>, deeper zooms: Int,
        order: ClusterOptions.Order? = nil
    ) -> [Case] {
        var random = SeededRandom(seed: seed)
        return (0..<cases).map { _ in Case(of: count, deeper: zooms, order: order, using: &random) }
            // A grid nests as deep as it is asked for, if at all.
            .filter { (try? $0.deeper.validate()) != nil }
    }

    @Test(arguments: 0..<3)
    func `all from one zoom on is a tree of that zoom`(seed: UInt64) throws {
        for sample in Self.samples(seed, of: 1...60, deeper: 3) {
            let (table, options) = (sample.table, sample.deeper)
            let plain = try ClusterTree(of: table, options: sample.usual, threads: 1)
            let none = try sample.tree(options)
            #expect(Self.areEqual(plain, none, table), "\(options)")
            guard options.order == .stable else { continue }
            let deep = try ClusterTree(of: table, options: options, threads: 1)
            let all = try sample.tree(options, entering: { _ in options.maxZoom })
            #expect(Self.areEqual(deep, all, table), "\(options)")
        }
    }

    @Test(arguments: 0..<3)
    func `past the usual zoom only those are clustered that take part`(seed: UInt64) throws {
        for sample in Self.samples(seed, of: 1...80, deeper: 4, order: .stable) {
            let (points, options) = (sample.points, sample.deeper)
            let (usual, last) = (sample.usual.maxZoom, options.maxZoom)
            // By the position, so that points at one place are in the same crowd.
            func zoom(of point: Samples.Point) -> Int {
                point.position.x < 0.5 ? usual : point.position.y < 0.5 ? last : usual + 2
            }
            let tree = try sample.tree(options, entering: zoom)
            ReferenceTests.checkInvariants(of: tree, points, options)
            for cluster in 0..<tree.clusterCount
            where usual + 1..<ClusterOptions.deepestZoom ~= Int(tree.zooms[cluster]) {
                for leaf in tree.leafRange(of: cluster) {
                    let entered = zoom(of: points[Int(tree.leafRows[leaf])])
                    #expect(entered >= Int(tree.zooms[cluster]))
                }
            }
            let parallel = try sample.tree(options, entering: zoom, threads: 3)
            #expect(Self.areEqual(tree, parallel, sample.table))
            let early = points.filter { zoom(of: $0) == last }
            try Self.checkThatTheyFareAlone(early, in: tree, of: sample)
        }
    }

    @Test(arguments: 0..<6)
    func `who enters late stands in the order that the definition says`(seed: UInt64) throws {
        for sample in Self.samples(seed + 20, of: 1...50, deeper: 3, order: .stable) {
            let (points, options) = (sample.points, sample.deeper)
            let usual = sample.usual.maxZoom
            func zoom(of point: Samples.Point) -> Int {
                usual + Int((point.position.x + point.position.y) * 0x1p20) % 4
            }
            let tree = try sample.tree(options, entering: zoom)
            let wanted = BruteForce.levels(points, options: options, entering: points.map(zoom))
            for zoom in options.minZoom...options.maxZoom {
                let isEqual = ReferenceTests.agree(
                    tree, zoom, wanted[zoom] ?? [], points, options)
                #expect(isEqual, "zoom \(zoom), \(options)")
            }
        }
    }

    /// Down to where all of them take part, points fare as if they were alone.
    private static func checkThatTheyFareAlone(
        _ early: [Samples.Point], in tree: ClusterTree, of sample: Case
    ) throws {
        guard !early.isEmpty else { return }
        var options = sample.deeper
        if let group = options.groupBy, !early.contains(where: { $0.has(group) }) { return }
        let zoom = sample.usual.maxZoom + 2
        options.minZoom = zoom + 1
        let table = Samples.table(early)
        let alone = try ClusterTree(of: table, options: options, threads: 1)
        let isAlike =
            clusters(of: tree, sample.table, deeperThan: zoom)
            == clusters(of: alone, table, deeperThan: zoom)
        #expect(isAlike, "\(options)")
    }
}
