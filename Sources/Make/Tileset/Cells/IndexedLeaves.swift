import ArchiveContract
import Conversion
import Platform
import TileArchive

/// Leaf blocks on their way into a container that wants an index with each (docs/pmtiles.md).
///
/// What reaches over a block is known when all blocks are. So they are laid in an archive of their own
/// first, which answers questions, and copied from there.
struct IndexedLeaves {
    private let job: CellJob
    private let path: String
    /// Takes the blocks.
    let sink: any ArchiveSink

    init(_ job: CellJob) throws {
        self.job = job
        path = "\(job.files.path)/leaves-\(Process.uniqueName).mbtiles"
        sink = try MBTiles.sink(to: path, options: SinkOptions())
    }

    /// Brings all blocks over.
    /// - Parameter metadata: what the archive will say of itself.
    func move(
        to target: any ArchiveSink, _ metadata: ArchiveMetadata, progress: (Int) -> Void
    ) throws {
        defer { UnfinishedFiles.discard(path) }
        try sink.finish(metadata)
        try ClusterTransfer(
            archive: Archive(path: path), threads: job.options.threads,
            compression: job.recipe.tiles.compression, isCancelled: job.options.isCancelled
        ).run(to: target, progress: progress)
    }
}
