import ArchiveContract
import Geometry
import TileArchive

/// The last phase, if the archive of the job before is there: changes only what differs.
struct ChangePhase {
    let index: IndexPhase
    private let changes: TileChanges
    /// The sums of the archive's payloads.
    private let sums: [String]

    private var job: CellJob { index.job }

    /// Nil if so many bytes differ that a new archive takes no longer.
    init?(_ index: IndexPhase, after former: FormerJob) throws {
        let job = index.job
        let most = max(index.plan.tileBytes / 4, Self.little)
        guard let changes = try TileChanges(job, after: former, most: most) else { return nil }
        self.index = index
        self.changes = changes
        sums = try job.payloadSums(of: former)
    }

    /// If no more than so many bytes differ, the archive is changed, whatever part of all bytes they are.
    private static let little = 1 << 20

    /// The tiles that change, by zoom, column and row.
    func tiles() -> [(tile: TileID, change: TileChange)] {
        changes.tiles.map { ($0.tile, $0.change) }
            .sorted { ($0.tile.z, $0.tile.columnKey) < ($1.tile.z, $1.tile.columnKey) }
    }

    /// Changes the archive, without its metadata.
    /// - Returns: the ledger of all leaves.
    func apply(
        to archive: any ChangingArchive, tilesDone: (Int) -> Void, leavesDone: (Int) -> Void
    ) throws -> LeafLedger {
        var done = 0
        try changes.forEach { tile, bytes in
            try archive.set(tile.tile, tile.change, gzip: bytes)
            done += 1
            guard done % 1_000 == 0 else { return }
            try job.checkCancelled()
            tilesDone(done)
        }
        let payloads = ChangedPayloads(archive, sums)
        return try index.finish(
            to: payloads,
            blocks: { file in
                guard job.recipe.tiles.leaves else { return }
                try file.forEachPayload {
                    !payloads.keep(file.blocks[$0].sum)
                } _: { number, bytes in
                    try payloads.write(payload: bytes, sum: file.blocks[number].sum)
                }
            }, progress: leavesDone
        ).ledger
    }
}
