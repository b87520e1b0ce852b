import ArchiveContract
import Compression
import Pipelines
import Synchronization
import TileArchive

/// Brings leaf blocks and index rows over as they are, each block with the rows that begin in it, as
/// a build writes them; and with the index that containers without a database want.
public struct ClusterTransfer: Sendable {
    let archive: Archive
    let threads: Int
    let compression: Int
    let isCancelled: @Sendable () -> Bool

    public init(
        archive: Archive, threads: Int, compression: Int,
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.archive = archive
        self.threads = threads
        self.compression = compression
        self.isCancelled = isCancelled
    }

    /// Does it.
    /// - Parameter progress: is told how many blocks have been copied.
    public func run(to sink: any ArchiveSink, progress: (Int) -> Void) throws {
        var report = ConversionReport()
        try run(to: sink, &report, progress: progress)
    }

    func run(
        to sink: any ArchiveSink, _ report: inout ConversionReport, progress: (Int) -> Void
    ) throws {
        let feed = try BlockFeed(archive)
        let (archive, compression, wantsIndex) = (archive, compression, sink.wantsBlockIndex)
        try OrderedPipeline(threads: threads).run(
            next: {
                if isCancelled() { throw ConversionError.cancelled }
                return try feed.next()
            },
            state: { WorkerState(BlockIndexer(archive, compression: compression)) },
            work: { indexer, block in
                wantsIndex && block.index.isEmpty ? try indexer.value.indexed(block) : block
            },
            consume: { block in
                try sink.write(block)
                report.leafBlocks += 1
                report.clusters += block.clusters.count
                progress(report.leafBlocks)
            })
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
        layout = try archive.description?.get().blockLayout ?? .usual
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
