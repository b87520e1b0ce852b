import ArchiveContract
import Compression
import Pipelines
import Recipes
import TileArchive

/// The stage after the tiles: goes over all leaves and clusters in their order, and makes leaf
/// blocks of them.
struct LeafStage: Sendable {
    let options: TileOptions
    let keys: [String]
    let threads: Int
    let checkCancelled: @Sendable () throws -> Void

    /// Makes the blocks of all leaves of a source, and gathers statistics.
    /// - Parameters:
    ///   - source: the leaves, from the first one on.
    ///   - facts: the facts about each layer so far.
    ///   - body: is called with the statistics of some consecutive leaves, and with their blocks.
    func forEachPiece<Source: LeafSource>(
        of source: Source, _ facts: [LayerFacts],
        _ body: (LeafLedger.Part, [EncodedBlock]) throws -> Void
    ) throws {
        try OrderedPipeline(threads: threads).run(
            next: {
                try checkCancelled()
                return try source.next()
            },
            state: {
                WorkerState(LeafBlockEncoder(keys: keys, compression: options.compression))
            },
            work: { encoder, piece in
                let stretch = source.stretch(of: piece)
                let blocks = options.leaves ? stretch.encodable : []
                return (
                    LeafLedger.Part(of: stretch, facts),
                    try blocks.map { try encoder.value.encode($0) }
                )
            },
            consume: body)
    }

    /// Writes the payloads that follow all blocks.
    /// - Parameters:
    ///   - writer: has written all blocks.
    ///   - large: the large clusters of all layers.
    ///   - id: returns the id of a cluster.
    ///   - ids: calls its argument with the ids of all clusters, ascending, and the first leaf of each.
    /// - Returns: the archive's description of its payloads; nil if it has none.
    func finish(
        _ writer: consuming ClusterWriter, _ large: [LargeCluster], id: (ClusterRecord) -> Int64,
        ids: ((Int64, Int64) throws -> Void) throws -> Void
    ) throws -> ClusterDescription.Blocks? {
        guard options.leaves, writer.blockCount > 0, let table = writer.table else { return nil }
        var writer = writer
        let largeIDs = LargeIDs(large, in: table)
        var pager = IDPager()
        var waiting: [[(id: Int64, target: Int64)]] = []
        try ids { id, leaf in
            if largeIDs.contain(id, from: leaf) { return }
            waiting += pager.add(id, target: leaf)
            guard waiting.count >= Self.pagesAtOnce else { return }
            try write(waiting, in: table, to: &writer)
            waiting = []
        }
        try write(waiting + pager.finish(), in: table, to: &writer)
        return try writer.finish(large, id: id)
    }

    /// How many pages workers pack at a time.
    private static let pagesAtOnce = 64

    private func write(
        _ pages: [[(id: Int64, target: Int64)]], in table: LeafBlockTable,
        to writer: inout ClusterWriter
    ) throws {
        let numbers = PieceCounter(total: pages.count, size: 1)
        try OrderedPipeline(threads: threads).run(
            next: {
                try checkCancelled()
                return numbers.next()
            },
            state: { WorkerState(GzipCompressor(level: options.compression)) },
            work: { compressor, piece in
                EncodedPage(pages[piece.lowerBound], with: &compressor.value) {
                    table.block(ofLeaf: $0)
                }
            },
            consume: { try writer.write($0) })
    }
}

/// The facts about all layers, complete when all leaves have come.
struct LeafLedger {
    /// The facts about some nodes of a layer.
    struct Part: Sendable {
        let index: Int
        private(set) var facts: LayerFacts
        private(set) var leaves: LayerStatistics
        private(set) var clusters: LayerStatistics

        /// Adds the facts about the nodes after these.
        mutating func merge(_ later: Part) {
            facts.merge(later.facts)
            leaves.merge(later.leaves)
            clusters.merge(later.clusters)
        }
    }

    private var parts: [Part]
    /// The payloads that answer questions about clusters, if the archive has them.
    var blocks: ClusterDescription.Blocks?

    init(_ facts: [LayerFacts]) {
        parts = facts.enumerated().map { index, facts in
            let none = LayerStatistics(name: facts.name)
            return Part(index: index, facts: facts, leaves: none, clusters: none)
        }
    }

    mutating func add(_ part: Part) { parts[part.index].merge(part) }

    var facts: [LayerFacts] { parts.map(\.facts) }

    /// The statistics of each layer, with each point and each cluster counted once, points first.
    var statistics: [LayerStatistics] {
        parts.map { part in
            var all = part.leaves
            all.merge(part.clusters)
            return all
        }
    }
}

extension LeafLedger.Part {
    init(of part: LeafStretch, _ facts: [LayerFacts]) {
        var own = facts[part.index]
        own.include(part.layer, leaves: part.leaves, clusters: part.clusters)
        let first = part.layer.tree.leafCount
        self.init(
            index: part.index, facts: own,
            leaves: LayerStatistics(of: part.layer, nodes: part.leaves),
            clusters: LayerStatistics(
                of: part.layer,
                nodes: first + part.clusters.lowerBound..<first + part.clusters.upperBound))
    }
}
