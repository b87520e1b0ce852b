import ArchiveContract
import Compression
import Pipelines
import Synchronization
import TileArchive

/// Brings leaf blocks and index rows over as they are, each block with the rows that begin in it, as
/// a build writes them; and with the index that containers without a database want.
struct ClusterTransfer: Sendable {
    let archive: Archive
    let threads: Int
    let compression: Int
    let isCancelled: @Sendable () -> Bool

    /// Does it.
    /// - Parameters:
    ///   - sink: where all goes.
    ///   - report: what has been copied.
    ///   - progress: is told how many blocks have been copied.
    func run(
        to sink: any ArchiveSink, _ report: inout ConversionReport, progress: (Int) -> Void
    ) throws {
        let feed = try BlockFeed(archive)
        let (archive, compression) = (archive, compression)
        let makesIndex = try sink.wantsBlockIndex && !archive.keepsBlockIndex
        let reaches =
            makesIndex
            ? try archive.blockReaches(threads: threads, isCancelled: isCancelled) : []
        try OrderedPipeline(threads: threads).run(
            next: {
                if isCancelled() { throw ConversionError.cancelled }
                return try feed.next()
            },
            state: { WorkerState(BlockIndexer(archive, reaches, compression: compression)) },
            work: { indexer, block in
                makesIndex ? try indexer.value.indexed(block) : block
            },
            consume: { block in
                try sink.write(block)
                report.leafBlocks += 1
                report.clusters += block.clusters.count
                progress(report.leafBlocks)
            })
        var ids = try archive.scanIDs()
        var idCount = 0
        while let page = try ids.next(), let stored = ids.stored {
            try sink.write(stored)
            idCount += page.count
        }
        try refuseGaps(report, idCount: idCount)
    }

    /// What an archive lacks is not left out without a word.
    private func refuseGaps(_ report: ConversionReport, idCount: Int) throws {
        guard let description = try archive.description?.get() else { return }
        let blocks = description.blockLayout.blockCount(forLeaves: description.leafCount)
        var counts = [("leaf blocks", report.leafBlocks, Int(blocks))]
        if description.ids == .placed { counts.append(("ids", idCount, report.clusters)) }
        for (name, count, wanted) in counts where count != wanted {
            throw ArchiveError.damagedClusters(
                path: archive.path, reason: "it has \(count) \(name), not \(wanted)")
        }
    }
}

extension Archive {
    /// Whether its blocks come with an index.
    var keepsBlockIndex: Bool {
        get throws { try contents.clusterFinder().blockBoxes() != nil }
    }
}

/// Leaf blocks with the clusters that begin in them, one after another.
final class BlockFeed: Sendable {
    private struct State: ~Copyable {
        var blocks: LeafBlockScan
        var rows: ClusterScan
        var pending: ClusterRecord?
        var isAtEnd = false
    }
    private let state: Mutex<State>
    private let path: String
    private let layout: LeafBlockLayout

    init(_ archive: Archive) throws {
        path = archive.path
        layout = try archive.blockLayout
        let blocks = try archive.scanLeafBlocks()
        var rows = try archive.scanClusters()
        let first = try Self.next(&rows, path)
        state = Mutex(State(blocks: blocks, rows: rows, pending: first))
    }

    func next() throws -> EncodedBlock? {
        try state.withLock { state in
            guard !state.isAtEnd, let number = try state.blocks.next() else {
                state.isAtEnd = true
                if let left = state.pending {
                    throw ArchiveError.damagedClusters(
                        path: path,
                        reason: "a cluster begins with leaf \(left.key.firstLeaf), in no block")
                }
                return nil
            }
            guard ContractNumber.block.holds(number) else {
                throw ArchiveError.damagedClusters(
                    path: path, reason: "a leaf block has the number \(number)")
            }
            guard let hull = state.blocks.hull else {
                throw ArchiveError.damagedClusters(
                    path: path, reason: "the hull of leaf block \(number)")
            }
            var records: [ClusterRecord] = []
            while let row = state.pending,
                layout.block(ofLeaf: row.key.firstLeaf) <= number
            {
                records.append(row)
                state.pending = try Self.next(&state.rows, path)
            }
            var block = EncodedBlock(
                number: number, leaves: state.blocks.bytes.copied, hull: hull, clusters: records)
            block.index = state.blocks.index
            return block
        }
    }

    private static func next(
        _ rows: inout ClusterScan, _ path: String
    ) throws -> ClusterRecord? {
        switch try rows.next() {
        case nil: return nil
        case .cluster(let record): return record
        case .damaged(let number):
            throw ArchiveError.damagedClusters(path: path, reason: "row \(number) makes no sense")
        }
    }
}
