import ArchiveContract
import Geometry
import Pipelines
import Synchronization
import TileArchive

/// The last phase: puts the archive together from the files of all cells.
struct MergePhase {
    let job: CellJob
    /// The path of the archive, where it is known.
    var archive: String?
    let tell: @Sendable (BuildProgress) -> Void

    /// Writes the whole archive.
    func run(
        to sink: any ArchiveSink, _ report: inout BuildReport, _ clock: inout StageClock
    ) throws {
        let keeping = sink as? KeepingSink
        let own = keeping?.sink ?? sink
        let archive = own as? any LaidArchive
        let index = try clock.time(.leaves) {
            let index = try IndexPhase(job)
            try run(index.units(withDirectories: archive != nil), of: index)
            job.files.release(job.files.folder("cluster"))
            return index
        }
        self.report(index, &report)
        if let archive {
            var kept = try keeping?.keep()
            let laid = try clock.time(.leaves) {
                try LayPhase(job: job, index: index).run(
                    metadata: { kept?.named(in: $0) ?? $0 }, progress: { tellLeaves($0) })
            }
            try clock.time(.tiles) { try copy(laid, to: archive) }
            try clock.time(.finish) { try archive.finish() }
            kept?.stay()
            (report.bounds, report.center) = (laid.bounds, laid.center)
        } else if let changes = try clock.time(.tiles, { try changes(index) }),
            let archive = try own.changing(tileBytes: index.plan.tileBytes)
        {
            let metadata = try change(archive, changes, keeping, &report, &clock)
            (report.bounds, report.center) = (metadata.bounds, metadata.center)
        } else {
            let metadata = try write(index, to: sink, &clock)
            (report.bounds, report.center) = (metadata.bounds, metadata.center)
        }
    }

    /// - Returns: the archive's metadata.
    private func write(
        _ index: IndexPhase, to sink: any ArchiveSink, _ clock: inout StageClock
    ) throws -> ArchiveMetadata {
        let tiles = index.plan.tileCount
        try clock.time(.tiles) { try writeTiles(index.plan, to: sink) }
        let metadata = try clock.time(.leaves) {
            index.metadata(
                try index.finish(
                    to: sink,
                    blocks: { file in
                        try file.forEachPayload {
                            try sink.write(payload: $1, sum: file.blocks[$0].sum)
                        }
                    }, progress: { tellLeaves($0) }
                ).ledger)
        }
        job.files.release(job.files.folder("tiles"))
        tell(.finish, "tiles", tiles, of: tiles)
        try clock.time(.finish) { try sink.finish(metadata) }
        return metadata
    }

    /// The changes to the archive of the job before; nil if it is not there, or differs so much
    /// that a new one takes no longer.
    private func changes(_ index: IndexPhase) throws -> ChangePhase? {
        guard let path = archive, let former = job.former else { return nil }
        let written = WrittenArchive(path, of: former.files)
        guard written.isThere, written.hasItsFiles else { return nil }
        do {
            return try ChangePhase(index, after: former)
        } catch is JobError {
            // Files of the job before may be damaged or removed.
            return nil
        }
    }

    /// - Returns: the archive's new metadata.
    private func change(
        _ archive: any ChangingArchive, _ changes: ChangePhase, _ keeping: KeepingSink?,
        _ report: inout BuildReport, _ clock: inout StageClock
    ) throws -> ArchiveMetadata {
        let tiles = changes.tiles()
        report.changedTiles = tiles.count
        let ledger = try clock.time(.leaves) {
            try changes.apply(
                to: archive, tilesDone: { tell(.tiles, "tiles", $0, of: tiles.count) },
                leavesDone: { tellLeaves($0) })
        }
        var kept = try keeping?.keep()
        let plain = changes.index.metadata(ledger)
        let metadata = kept?.named(in: plain) ?? plain
        guard job.options.willChange?(tiles, metadata) ?? true else { throw BuildError.cancelled }
        if let path = self.archive, let former = job.former {
            WrittenArchive(path, of: former.files).forget()
        }
        try clock.time(.finish) { try archive.finish(metadata) }
        kept?.stay()
        return metadata
    }

    /// Does some of the work on the index.
    func run(_ units: [IndexUnit], of index: IndexPhase) throws {
        // The units that are neither there nor in the job before.
        let rest = try job.rest(of: units) { try index.isDone($0) || index.takeOver($0) }
        let (all, left) = (
            units.reduce(0) { $0 + leaves(of: $1, index) },
            rest.reduce(0) { $0 + leaves(of: $1, index) }
        )
        if all > left, left > 0 { tellLeaves(all - left) }
        let done = Mutex(all - left)
        let (directories, blocks) = (
            rest.filter(\.isOfDirectories), rest.filter { !$0.isOfDirectories }
        )
        try job.forEach(blocks, holding: { leaves(of: $0, index) }) { inner, unit in
            try index.make(unit, threads: inner.options.threads) { more in
                done.withLock {
                    $0 += more
                    tellLeaves($0)
                }
            }
        }
        // These hold no points, and one thread works on each.
        try job.forEach(directories) { try index.make($0, threads: 1) { _ in } }
    }

    private func leaves(of unit: IndexUnit, _ index: IndexPhase) -> Int {
        guard case .leaves(let number) = unit else { return 0 }
        return index.top.tasks[number].leaves.count
    }

    private func tellLeaves(_ done: Int) {
        tell(.leaves, "points", done, of: job.plan.leafCount)
    }

    private func tell(
        _ stage: BuildStage, _ unit: String, _ done: Int, of total: Int, subject: String? = nil
    ) {
        tell(BuildProgress(stage: stage, unit: unit, done: done, total: total, subject: subject))
    }

    private func copy(_ laid: LaidOut, to archive: any LaidArchive) throws {
        let total = laid.sizes.reduce(0, +)
        try CopyPhase(job: job, laid: laid).run(0..<total) { done in
            tell(.tiles, "MB", done / 1_000_000, of: total / 1_000_000)
        } write: { bytes, offset, file in
            try archive.write(bytes.span, at: offset, ofFile: file)
        }
    }

    private func writeTiles(_ plan: IndexPlan, to sink: any ArchiveSink) throws {
        let squares = job.levels.numbers.map(job.levels.square)
        let parts = try (0...squares.count).map { part in
            try PartTiles(IndexPlan.path(ofPart: part, job), job)
        }
        let merge = Mutex(PartMerge(parts, of: [nil] + squares, zooms: job.zooms.zooms))
        let total = plan.tileCount
        var written = 0
        // One thread reads tiles from the parts while this one writes them.
        try OrderedPipeline(threads: 1).run(
            next: { try merge.withLock { try $0.next() } }, state: {}, work: { $1 }
        ) { tiles in
            try job.checkCancelled()
            try sink.write(tiles.tiles, gzip: tiles.bytes.span, ends: tiles.ends)
            written += tiles.tiles.count
            tell(.tiles, "tiles", written, of: total, subject: tiles.tiles.last.map { "z\($0.z)" })
        }
    }

    /// Fills in the report, except where the archive is.
    func report(_ index: IndexPhase, _ report: inout BuildReport) {
        report.tell(index.plan.figures)
        report.leftOutTiles = index.plan.leftOut
        report.tell(job.zooms, spread: index.top.layers.map(\.spread))
        report.clusterIDsMayEqualPointIDs = job.mayEqualPointIDs
        report.layers = job.plan.layers.indices.map { layer in
            let (planned, known) = (job.plan.layers[layer], index.top.layers[layer])
            return BuildReport.Layer(
                name: job.recipe.layers[layer].name, input: planned.report,
                points: planned.points, clusters: known.clusterCount,
                heldClusters: known.heldCount,
                skippedValues: known.skipped.map { ($0.aggregate, $0.missing + $0.unusable) },
                facets: planned.facets)
        }
    }
}
