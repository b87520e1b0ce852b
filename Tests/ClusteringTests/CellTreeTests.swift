import Geometry
import Points
import TestSupport
import Testing

@testable import Clustering

/// A world that is clustered in cells, and above them, against the same in one memory.
struct CellTreeTests {
    /// All that is said of a cluster: where, of how many points or which, and its attributes.
    static func line(
        _ zoom: Int, _ x: Double, _ y: Double, _ leaves: String, _ table: AttributeTable, _ row: Int
    ) -> String {
        let record = DeterminismTests.record(table, row).split(separator: ";").sorted()
        return "\(zoom) \(x) \(y) \(leaves) \(record)"
    }

    private static func lines(_ tree: ClusterTree, _ zooms: ClosedRange<Int>, rows: Bool)
        -> [String]
    {
        (0..<tree.clusterCount).filter { zooms.contains(Int(tree.zooms[$0])) }.map { cluster in
            let leaves = tree.leafRange(of: cluster)
            let members = rows ? "\(leaves.map { tree.leafRows[$0] }.sorted())" : "\(leaves.count)"
            return line(
                Int(tree.zooms[cluster]), tree.xs[cluster], tree.ys[cluster], members,
                tree.attributes, cluster)
        }
    }

    /// A cell with as much around it, and as many passes, as it takes.
    private static func piece(
        _ cell: TileID, _ cutZoom: Int, _ passLimit: inout Int, _ table: PointTable,
        _ options: ClusterOptions
    ) throws -> CellPiece? {
        var task = CellTask(
            cell: cell, cutZoom: cutZoom,
            margin: options.cellMargin(cutZoom: cutZoom, radii: nil) / 4, passLimit: passLimit)
        for _ in 0..<40 {
            let rows = (0..<table.count).filter {
                task.known(wraps: options.wrap).contains(table.xs[$0], table.ys[$0])
            }
            do {
                return try CellPiece.attempt(
                    of: table, rows: Column(rows.map { UInt32($0) }), group: nil, task,
                    options: options, threads: 1)
            } catch CellFailure.marginTooNarrow {
                task = task.widened
            } catch CellFailure.tooManyPasses {
                passLimit *= 2
                return nil
            }
        }
        Issue.record("\(cell) is never sure of itself")
        return nil
    }

    static let cells = (0..<4).map { TileID(z: 1, x: $0 & 1, y: $0 >> 1) }

    private static func pieces(
        _ cutZoom: Int, _ table: PointTable, _ options: ClusterOptions
    ) throws -> [CellPiece] {
        var passLimit = 1
        again: while true {
            var pieces: [CellPiece] = []
            for cell in Self.cells {
                guard let piece = try piece(cell, cutZoom, &passLimit, table, options) else {
                    if passLimit > 1_000 { return [] }
                    continue again
                }
                pieces.append(piece)
            }
            return pieces
        }
    }

    /// What aggregates know of a cluster, values in one order.
    private static func states(_ cluster: FrontierCluster) -> [PartialState?] {
        cluster.states.map { state in
            guard case .tally(let occurrences) = state else { return state }
            return .tally(occurrences.sorted { "\($0)" < "\($1)" })
        }
    }

    private static func sample(
        using random: inout SeededRandom
    ) throws -> (points: PointTable, options: ClusterOptions) {
        let points = Samples.random(Int.random(in: 1...120, using: &random), using: &random)
        var options = ReferenceTests.options(for: points, using: &random)
        options.order = .stable
        options.groupBy = nil
        if options.position == .nearest { options.position = .anchor }
        options.aggregates = try [
            "n=count", "s=sum:value", "low=min:value", "m=mean:value", "d=stddev:value",
            "mid=median:value", "k=mode:kind", "h=histogram:kind", "f=first:kind", "c=concat:kind",
            "u=distinct:kind",
        ].map { try Aggregate(parsing: $0) }
        options.inherit = ["value"]
        let table = Samples.table(points)
        var tally = FacetTally(
            try ["kind", "value:30,60", "kind*value:50", "kind=sum:value"].map {
                try Facet(parsing: $0)
            })
        tally.add(table)
        options.facets = try tally.layouts()
        return (table, options)
    }

    /// That the leaves of each node begin where they are said to.
    private static func checkRoots(of piece: CellPiece, _ cutZoom: Int) {
        let tree = piece.tree(cutZoom: cutZoom)
        let roots = (0..<tree.leafCount).filter { leaf in
            guard tree.leafParents[leaf] != ClusterTree.noParent else { return true }
            return (0..<tree.clusterCount).contains {
                tree.parents[$0] == ClusterTree.noParent
                    && tree.leafRange(of: $0).lowerBound == leaf
            }
        }
        #expect((0..<piece.firstLeaves.count).map { Int(piece.firstLeaves[$0]) } == roots)
    }

    @Test(arguments: 0..<8)
    func `cells and levels above them make the clusters of the whole world, bit for bit`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed + 300)
        var found = (below: 0, between: 0, above: 0)
        for _ in 0..<40 {
            let (table, options) = try Self.sample(using: &random)
            guard options.minZoom < options.maxZoom else { continue }
            let cutZoom = max(
                Int.random(in: options.minZoom + 1...options.maxZoom, using: &random),
                Int.random(in: options.minZoom + 1...options.maxZoom, using: &random))
            let whole = try ClusterTree(of: table, options: options)
            let pieces = try Self.pieces(cutZoom, table, options)
            for piece in pieces { Self.checkRoots(of: piece, cutZoom) }
            let below = pieces.flatMap {
                Self.lines($0.tree(cutZoom: cutZoom), 0...99, rows: true)
            }
            #expect(
                below.sorted() == Self.lines(whole, cutZoom...99, rows: true).sorted(),
                "\(options) \(cutZoom)")
            var nodes = Frontier(keys: table.attributes.keys)
            for piece in pieces { nodes.append(piece.nodes) }
            var (between, topZoom): ([String], Int) = ([], cutZoom)
            if options.mayBeCutAgain, cutZoom > options.minZoom + 1 {
                topZoom = Int.random(in: options.minZoom + 1..<cutZoom, using: &random)
                (nodes, between) = try Self.uppers(nodes, cutAt: cutZoom, to: topZoom, options)
                found.between += between.count
            }
            let top = try TopTree(
                of: nodes, group: nil, cutZoom: topZoom, options: options, threads: 1)
            let above = between + Self.lines(top)
            #expect(
                above.sorted() == Self.lines(whole, 0...cutZoom - 1, rows: false).sorted(),
                "\(options) \(cutZoom)")
            found.below += below.count
            found.above += above.count
        }
        #expect(found.below > 20 && found.above > 5 && found.between > 1, "\(found)")
    }

    @Test(arguments: 0..<4)
    func `nodes that are handed up come back as they were, or not at all`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed + 400)
        var (table, options) = try Self.sample(using: &random)
        while options.minZoom >= options.maxZoom || table.count < 30 {
            (table, options) = try Self.sample(using: &random)
        }
        let cutZoom = options.minZoom + 1
        let keys = StoredKeys(table.attributes.keys.names, in: table.attributes.keys)
        for piece in try Self.pieces(cutZoom, table, options) {
            var sink = BlockSink()
            sink.write(piece.nodes)
            var source = BlockSource(sink.bytes)
            let read = try source.frontier(keys)
            #expect(throws: BlockSource.Damaged.self) { try source.byte() }
            #expect(read.points.count == piece.nodes.points.count)
            #expect(read.clusters.map(Self.states) == piece.nodes.clusters.map(Self.states))
            func numbers(_ nodes: Frontier) -> [[Double]] {
                nodes.clusters.map {
                    [
                        Double($0.row), $0.x, $0.y, Double($0.zoom), Double($0.points), $0.weight,
                        Double($0.sites), Double($0.clusters),
                    ]
                }
            }
            #expect(numbers(read) == numbers(piece.nodes))
            var again = BlockSink()
            again.write(read)
            #expect(again.bytes == sink.bytes)
            for end in stride(from: 0, to: sink.bytes.count, by: 7) {
                var cut = BlockSource(Array(sink.bytes[..<end]))
                #expect(throws: BlockSource.Damaged.self) { _ = try cut.frontier(keys) }
            }
        }
    }
}
