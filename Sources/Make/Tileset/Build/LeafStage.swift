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
    let layout: LeafBlockLayout
    let threads: Int
    let checkCancelled: @Sendable () throws -> Void

    /// Runs it.
    /// - Parameters:
    ///   - begin: begins with the first leaf, each time that it is called.
    ///   - facts: what is known of each layer before.
    ///   - ids: goes through the ids of all clusters, ascending, with the first leaf of each.
    ///   - sink: where blocks go.
    ///   - progress: is told how many blocks have been written.
    /// - Returns: what is known of each layer then.
    func run<Source: LeafSource>(
        _ begin: () throws -> Source, _ facts: [LayerFacts],
        ids: ((Int64, Int64) throws -> Void) throws -> Void, to sink: any ArchiveSink,
        progress: (Int64) -> Void
    ) throws -> LeafLedger {
        var ledger = LeafLedger(facts)
        let walked =
            options.leaves && sink.wantsBlockIndex
            ? try WalkedBlocks(of: try begin(), self) : nil
        let source = try begin()
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
                let known = stretch.parts.map { LeafLedger.Part(of: $0, facts) }
                let blocks = options.leaves ? stretch.blocks(in: layout) : []
                return (known, blocks.map { encoder.value.encode($0, walked) })
            },
            consume: { known, blocks in
                ledger.add(known)
                for block in blocks {
                    try sink.write(block)
                    progress(block.number + 1)
                }
            })
        if options.leaves { try write(ids, to: sink) }
        return ledger
    }

    private func write(
        _ ids: ((Int64, Int64) throws -> Void) throws -> Void, to sink: any ArchiveSink
    ) throws {
        var pager = IDPager()
        var waiting: [IDPage] = []
        try ids { id, leaf in
            guard let page = pager.add(id, firstLeaf: leaf) else { return }
            waiting.append(page)
            guard waiting.count == Self.pagesAtOnce else { return }
            try write(waiting, to: sink)
            waiting = []
        }
        try write(waiting + [pager.finish()].compactMap(\.self), to: sink)
    }

    /// Pages that wait for workers to pack them.
    private static let pagesAtOnce = 64

    private func write(_ pages: [IDPage], to sink: any ArchiveSink) throws {
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
            consume: { try sink.write($0) })
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

        init(of part: LeafStretch.Part, _ facts: [LayerFacts]) {
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
    private var leaves: [LayerStatistics]
    private var clusters: [LayerStatistics]

    init(_ facts: [LayerFacts]) {
        self.facts = facts
        leaves = facts.map { LayerStatistics(name: $0.name) }
        clusters = leaves
    }

    mutating func add(_ parts: [Part]) {
        for part in parts {
            facts[part.index].merge(part.facts)
            leaves[part.index].merge(part.leaves)
            clusters[part.index].merge(part.clusters)
        }
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

/// What each block is to say of those behind it, and the points that it is to have a copy of: found by a
/// walk of its own before blocks are made.
struct WalkedBlocks: Sendable {
    private(set) var reaches: [BlockReach] = []
    private var copies: [Int64: LeafRun] = [:]

    init(of source: some LeafSource, _ stage: LeafStage) throws {
        var walk = ReachWalk(stage.layout)
        let layout = stage.layout
        try OrderedPipeline(threads: stage.threads).run(
            next: {
                try stage.checkCancelled()
                return try source.next()
            },
            state: {},
            work: { _, piece in
                source.stretch(of: piece).blocks(in: layout).map { ($0, $0.walked) }
            },
            consume: { blocks in
                for (block, walked) in blocks {
                    for wanted in try walk.enter(walked) { keep(wanted, of: block) }
                }
            })
        reaches = try walk.finish()
    }

    func copies(for block: Int64) -> LeafRun? { copies[block] }

    private mutating func keep(_ wanted: ReachWalk.Wanted, of block: LeafBlock) {
        var index = Int(wanted.leaf - block.leaves.lowerBound)
        for run in block.runs {
            if index < run.rows.count {
                let number = Int64(wanted.block)
                // A cluster's leaves are of one layer, and so are all that a block copies.
                copies[number, default: LeafRun(emptyAs: run)].append(run.rows[index], of: run)
                return
            }
            index -= run.rows.count
        }
    }
}
