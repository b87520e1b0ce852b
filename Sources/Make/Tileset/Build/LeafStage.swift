import ArchiveContract
import Compression
import Pipelines
import Recipes
import TileArchive

/// The stage behind the tiles: looks at all leaves and clusters in their order, and makes leaf blocks
/// of them.
struct LeafStage: Sendable {
    let options: TileOptions
    let keys: [String]
    /// How many leaves a block of each layer may have.
    let layouts: [LeafBlockLayout]
    let threads: Int
    let checkCancelled: @Sendable () throws -> Void

    /// Runs it.
    /// - Parameters:
    ///   - source: begins with the first leaf.
    ///   - facts: what is known of each layer before.
    ///   - ids: goes through the ids of all clusters, ascending, with the first leaf of each.
    ///   - sink: where payloads go.
    ///   - progress: is told how many leaves have been looked at.
    /// - Returns: what is known of each layer then.
    func run<Source: LeafSource>(
        _ source: Source, _ facts: [LayerFacts],
        ids: ((Int64, Int64) throws -> Void) throws -> Void, to sink: any ArchiveSink,
        progress: (Int) -> Void
    ) throws -> LeafLedger {
        var ledger = LeafLedger(facts)
        var writer = ClusterWriter(sink)
        var leaves = 0
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
                let blocks = options.leaves ? stretch.encodable(in: layouts[stretch.index]) : []
                return (
                    known: LeafLedger.Part(of: stretch, facts),
                    blocks: blocks.map { encoder.value.encode($0) }, leaves: stretch.leaves.count
                )
            },
            consume: { piece in
                ledger.add(piece.known)
                for block in piece.blocks { try writer.write(block) }
                leaves += piece.leaves
                progress(leaves)
            })
        guard options.leaves, writer.blockCount > 0 else { return ledger }
        try write(ids, beside: source.large, to: &writer)
        ledger.blocks = try writer.finish(source.large)
        return ledger
    }

    /// Writes the pages of ids: of all clusters but the large ones.
    private func write(
        _ ids: ((Int64, Int64) throws -> Void) throws -> Void, beside large: [LargeCluster],
        to writer: inout ClusterWriter
    ) throws {
        guard let table = writer.table else { return }
        let large = Set(large.map { $0.key(in: table) })
        var pager = IDPager()
        var waiting: [[(id: Int64, block: Int64)]] = []
        try ids { id, leaf in
            let key = ClusterKey(firstLeaf: leaf, zoom: UInt8(PlaceID(id)?.zoom ?? 0))
            guard !large.contains(key) else { return }
            waiting += pager.add(id, block: table.block(ofLeaf: leaf))
            guard waiting.count >= Self.pagesAtOnce else { return }
            try write(waiting, to: &writer)
            waiting = []
        }
        try write(waiting + pager.finish(), to: &writer)
    }

    /// Pages that wait for workers to pack them.
    private static let pagesAtOnce = 64

    private func write(
        _ pages: [[(id: Int64, block: Int64)]], to writer: inout ClusterWriter
    ) throws {
        let numbers = PieceCounter(total: pages.count, size: 1)
        try OrderedPipeline(threads: threads).run(
            next: {
                try checkCancelled()
                return numbers.next()
            },
            state: { WorkerState(GzipCompressor(level: options.compression)) },
            work: { compressor, piece in
                EncodedPage(pages[piece.lowerBound], with: &compressor.value)
            },
            consume: { try writer.write($0) })
    }
}

/// What is known of all layers when all leaves have come.
struct LeafLedger {
    /// What is known of some nodes of a layer.
    struct Part: Sendable {
        let index: Int
        let facts: LayerFacts
        let leaves: LayerStatistics
        let clusters: LayerStatistics

        init(of part: LeafStretch, _ facts: [LayerFacts]) {
            index = part.index
            var own = facts[part.index]
            own.include(part.layer, leaves: part.leaves, clusters: part.clusters)
            self.facts = own
            let values = ClusterValues(of: part.layer)
            let first = part.layer.tree.leafCount
            leaves = LayerStatistics(of: part.layer, values, nodes: part.leaves)
            clusters = LayerStatistics(
                of: part.layer, values,
                nodes: first + part.clusters.lowerBound..<first + part.clusters.upperBound)
        }
    }

    private(set) var facts: [LayerFacts]
    /// The payloads that answer questions about clusters, if there are any.
    var blocks: ClusterDescription.Blocks?
    private var leaves: [LayerStatistics]
    private var clusters: [LayerStatistics]

    init(_ facts: [LayerFacts]) {
        self.facts = facts
        leaves = facts.map { LayerStatistics(name: $0.name) }
        clusters = leaves
    }

    mutating func add(_ part: Part) {
        facts[part.index].merge(part.facts)
        leaves[part.index].merge(part.leaves)
        clusters[part.index].merge(part.clusters)
    }

    /// Each point and each cluster counted once, points first.
    var statistics: [LayerStatistics] {
        zip(leaves, clusters).map { leaves, clusters in
            var all = leaves
            all.merge(clusters)
            return all
        }
    }
}
