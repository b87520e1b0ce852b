import ArchiveContract
import Geometry
import TileArchive

/// The last phase, where the archive is there that the job before made: changes what is another.
struct ChangePhase {
    let index: IndexPhase
    private let changes: TileChanges
    /// The sums of the blocks of leaves as the job before had them, in their order.
    private let sums: [String]

    private var job: CellJob { index.job }

    /// Nil where so much is another that a new archive takes no longer.
    init?(_ index: IndexPhase, after former: FormerJob) throws {
        let job = index.job
        let most = max(index.plan.tileBytes / 4, Self.little)
        guard let changes = try TileChanges(job, after: former, most: most) else { return nil }
        self.index = index
        self.changes = changes
        sums = try LeafBlocksFile.sums(of: former, job)
    }

    /// So many bytes are changed, whatever part of all they are.
    private static let little = 1 << 20

    /// The tiles that change, by zoom, column and row.
    func tiles() -> [(tile: TileID, change: TileChange)] {
        changes.tiles.map { ($0.tile, $0.change) }
            .sorted { ($0.tile.z, $0.tile.columnKey) < ($1.tile.z, $1.tile.columnKey) }
    }

    /// Changes the archive, but for its metadata.
    /// - Returns: what is known of all leaves, and how many payloads there are.
    func apply(
        to archive: any ChangingArchive, tilesDone: (Int) -> Void, leavesDone: (Int) -> Void
    ) throws -> (ledger: LeafLedger, payloads: Int) {
        var done = 0
        try changes.forEach { tile, bytes in
            try archive.set(tile.tile, tile.change, gzip: bytes)
            done += 1
            guard done % 1_000 == 0 else { return }
            try job.checkCancelled()
            tilesDone(done)
        }
        let payloads = PayloadsInPlace(archive)
        let ledger = try index.finish(
            to: payloads,
            blocks: { file, first in
                payloads.next = first + file.blocks.count
                guard job.recipe.tiles.leaves else { return }
                try file.forEachPayload {
                    !sums.indices.contains(first + $0) || sums[first + $0] != file.blocks[$0].sum
                } _: { number, bytes in
                    try archive.set(payload: bytes, at: first + number)
                }
            }, progress: leavesDone
        ).ledger
        return (ledger, ledger.blocks == nil ? 0 : payloads.next)
    }
}

/// Puts payloads in their places, one behind another.
private final class PayloadsInPlace: PayloadSink {
    private let archive: any ChangingArchive
    var next = 0

    init(_ archive: any ChangingArchive) { self.archive = archive }

    func write(payload: Span<UInt8>) throws(ArchiveError) {
        try archive.set(payload: payload, at: next)
        next += 1
    }
}
