import ArchiveContract
import Compression
import Pipelines
import TileArchive

/// Holds the index of each cluster block against one that is made again, and the overview against all
/// of them (docs/pmtiles.md): for containers that keep such.
///
/// What a block says of the clusters that begin in it is taken for right here.
package struct BlockComparison: Sendable {
    private let archive: Archive
    private let threads: Int

    package init(_ archive: Archive, threads: Int) {
        self.archive = archive
        self.threads = threads
    }

    /// Calls `fail` with the number of each block whose index is another, and in what.
    package func run(fail: (_ block: Int64, _ what: [String]) -> Void) throws {
        guard let kept = try archive.contents.clusterFinder().blockBoxes() else { return }
        let feed = try BlockFeed(archive)
        let archive = archive
        let reaches = try archive.blockReaches(threads: threads, isCancelled: { false })
        var boxes: [GridBox] = []
        try OrderedPipeline(threads: threads).run(
            next: { try feed.next() },
            state: { WorkerState(Comparer(archive, reaches)) },
            work: { comparer, block in
                (
                    number: block.number, box: GridBox(around: block.hull),
                    what: try comparer.value.differences(of: block)
                )
            },
            consume: { block in
                if !block.what.isEmpty { fail(block.number, block.what) }
                boxes.append(block.box ?? GridBox(west: 0, north: 0, east: 0, south: 0))
            })
        if kept != boxes { fail(Int64(boxes.count), ["boxes of the overview"]) }
    }
}

/// Makes indexes again and compares them. One a worker.
private struct Comparer: ~Copyable {
    private var indexer: BlockIndexer
    private var inflater = GzipInflater()

    init(_ archive: Archive, _ reaches: [BlockReach]) {
        indexer = BlockIndexer(archive, reaches, compression: 1)
    }

    mutating func differences(of block: EncodedBlock) throws -> [String] {
        guard let payload = ClusterPayload(block.index + block.leaves) else { return [] }
        let kept = try ClusterBlock(unpacking: payload.index(with: &inflater))
        let made = try indexer.index(of: block)
        return [
            ("leaves", kept.leaves == made.leaves), ("hull", kept.hull == made.hull),
            ("rows", kept.rows == made.rows), ("shapes", kept.shapes == made.shapes),
            ("copied", kept.copied == made.copied), ("copies", kept.copies == made.copies),
        ].filter { !$0.1 }.map(\.0)
    }
}
