import ArchiveContract
import Points
import TileArchive

/// The fifth phase: makes the leaf blocks, and the directories that PMTiles archives have, task by task.
struct IndexPhase {
    let job: CellJob
    let top: TopClusters
    let plan: IndexPlan
    private let squares: LeafSquares
    private let facts: [LayerFacts]
    /// The blocks of tasks that the job before made, by what they follow from.
    private let blocksBefore: [UInt64: String]

    init(_ job: CellJob) throws {
        self.job = job
        blocksBefore = job.former.map { LeafBlocksFile.all(of: $0, job) } ?? [:]
        try job.folder.fetchTails(of: [job.files.top])
        top = try TopClusters(of: job)
        plan = try IndexPlan(of: job)
        squares = LeafSquares(job)
        let opening = ArchiveFacts.opening(on: plan.drawn.whole, job.zooms)
        facts = zip(job.recipe.layers, job.firstLeaves).enumerated().map {
            [top] index, layer in
            var facts = LayerFacts(
                layer.0.name, firstLeaf: layer.1, groupCount: job.plan.layers[index].groups.count,
                attributes: TilesetBuild.attributes(of: layer.0),
                extras: job.zooms.extras(of: layer.0), opening: opening)
            facts.include(top.layers[index].spread)
            return facts
        }
    }

    /// All units of work.
    /// - Parameter withDirectories: whether those are among them that PMTiles alone needs.
    func units(withDirectories: Bool) -> [IndexUnit] {
        let leaves = top.tasks.indices.map { IndexUnit.leaves($0) }
        return withDirectories
            ? leaves + (0..<plan.directoryFiles).map { .directories($0) } : leaves
    }

    /// How much work a unit is, in points or tiles.
    func weight(of unit: IndexUnit) -> Int {
        switch unit {
        case .leaves(let number): top.tasks[number].leaves.count
        // An entry is a hundredth of the work that a point is.
        case .directories: DirectoriesFile.leavesInFile * plan.entriesInLeaf / 100
        }
    }

    func isDone(_ unit: IndexUnit) -> Bool { job.files.has(job.files.index(unit)) }

    func run(_ unit: IndexUnit, progress: (Int) -> Void) throws {
        if try !isDone(unit) && !takeOver(unit) { try make(unit, progress: progress) }
    }

    /// Makes what is not there, nor was in the job before.
    func make(_ unit: IndexUnit, progress: (Int) -> Void) throws {
        // Another process may have made it meanwhile.
        if isDone(unit) { return }
        switch unit {
        case .leaves(let number): try writeBlocks(number, progress: progress)
        case .directories(let number): try DirectoriesFile.write(number, plan, job)
        }
    }

    /// Takes a task's blocks from the job before, if they follow from the same.
    func takeOver(_ unit: IndexUnit) throws -> Bool {
        guard case .leaves(let number) = unit, let former = job.former, !blocksBefore.isEmpty,
            let inputs = try LeafWork(number, of: self).inputs, let file = blocksBefore[inputs]
        else { return false }
        return former.give(file, as: job.files.index(unit), of: job.files)
    }

    /// What a task makes blocks of.
    private struct LeafWork {
        let above: ClustersAbove
        let leaves: [CellLeaves]
        /// What the blocks follow from, where it is known.
        let inputs: UInt64?

        init(_ number: Int, of index: IndexPhase) throws {
            let (task, job) = (index.top.tasks[number], index.job)
            try job.folder.fetch([.init(path: job.files.top, bytes: task.clusters)])
            try job.folder.fetch(
                task.squares.map { job.files.numbers(of: job.name(of: $0)) } + [job.files.ids])
            above = try ClustersAbove(of: task, index.top, index.squares)
            leaves = try CellLeaves.all(of: task, index.squares)
            inputs = try index.inputs(of: task, above, leaves)
        }
    }

    private func writeBlocks(_ number: Int, progress: (Int) -> Void) throws {
        let (task, own) = (top.tasks[number], try LeafWork(number, of: self))
        let source = TaskLeaves(job, task, above: try own.above.clusters(), own.leaves)
        var writer = try LeafBlocksWriter(
            number, task, facts[task.layer], job, inputs: own.inputs)
        var done = 0
        try stage.forEachPiece(of: source, facts) { part, blocks in
            try writer.append(part, blocks)
            done += part.facts.leafCount
            progress(done)
        }
        try writer.finish(source.large, unfinished: source.unfinished)
    }

    /// What the blocks of a task follow from.
    private func inputs(
        of task: LeafTask, _ above: ClustersAbove, _ leaves: [CellLeaves]
    ) throws -> UInt64? {
        guard job.keepsFiles else { return nil }
        var sum = InputSum("leaves")
        var sink = BlockSink()
        sink.write(task.layer)
        sink.write(task.leaves.count)
        sink.write(byte: facts[task.layer].opening)
        let start = task.leaves.lowerBound
        sink.write(task.open) { sink, open in
            sink.write(byte: open.zoom)
            sink.write(open.end - start)
        }
        sum.include(sink)
        above.include(in: &sum, from: start)
        for cell in leaves { cell.include(in: &sum, from: start) }
        return sum.value
    }

    private var stage: LeafStage {
        LeafStage(
            options: job.recipe.tiles, keys: job.keys.names, threads: job.options.threads,
            checkCancelled: job.checkCancelled)
    }

    /// What all units of leaves say, and the payloads behind the blocks.
    /// - Parameters:
    ///   - sink: where payloads go.
    ///   - take: is given the blocks, with the number of the first; nil where none are wanted.
    ///   - progress: is told of how many points the blocks are put together.
    func finish(
        to sink: any PayloadSink, blocks take: ((LeafBlocksFile, Int) throws -> Void)?,
        progress: (Int) -> Void
    ) throws -> (ledger: LeafLedger, files: [LeafBlocksFile]) {
        let paths = top.tasks.indices.map { job.files.index(.leaves($0)) }
        if take != nil { try job.folder.fetch(paths) } else { try job.folder.fetchTails(of: paths) }
        var ledger = LeafLedger(facts)
        var files: [LeafBlocksFile] = []
        var writer = ClusterWriter(sink)
        var large: [LargeCluster] = []
        var open: [Int] = []
        for (number, task) in top.tasks.enumerated() {
            try job.checkCancelled()
            let file = try LeafBlocksFile(number, task, facts[task.layer], job)
            let first = Int64(writer.blockCount)
            guard open.count == task.open.count else {
                throw JobError.damaged(path: file.reader.path)
            }
            for (index, cluster) in zip(open, file.large) {
                let end = first + cluster.blocks.upperBound
                large[index].blocks = large[index].blocks.lowerBound..<end
            }
            let own = file.large.dropFirst(open.count)
            let indexes = open + (large.count..<large.count + own.count)
            large += own.map { $0.moved(by: first) }
            open = file.unfinished.map { indexes[$0] }
            ledger.add(file.known)
            try take?(file, writer.blockCount)
            for block in file.blocks {
                writer.include(blockOf: block.leaves, hull: block.hull, sum: block.sum)
            }
            files.append(file)
            progress(job.firstLeaves[task.layer] + task.leaves.upperBound)
        }
        if job.recipe.tiles.leaves, writer.blockCount > 0, let table = writer.table {
            try IDPages(job, plan, top.tasks, files, table, large).forEach { try writer.write($0) }
            ledger.blocks = try writer.finish(large)
        }
        return (ledger, files)
    }

    /// What an archive says of itself.
    func metadata(_ ledger: LeafLedger) -> ArchiveMetadata {
        let deepest = plan.figures.zooms.last { $0.tiles > 0 }?.zoom
        return ArchiveFacts(
            job.recipe, ledger, keys: job.keys.names, job.zooms, plan.drawn.whole,
            deepest: deepest, generator: job.plan.generator
        ).metadata
    }
}
