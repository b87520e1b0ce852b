import ArchiveContract
import Points
import TileArchive

/// The fifth phase: makes the leaf blocks, and for PMTiles the directories, task by task.
struct IndexPhase {
    let job: CellJob
    let top: TopClusters
    let plan: IndexPlan
    private let squares: LeafSquares
    private let facts: [LayerFacts]
    /// The files of blocks of the job before, by the sum of what they depend on.
    private let blocksBefore: [UInt64: String]

    init(_ job: CellJob) throws {
        self.job = job
        blocksBefore = job.former.map { LeafBlocksFile.all(of: $0, job) } ?? [:]
        try job.folder.fetchTails(of: [job.files.top])
        top = try TopClusters(of: job)
        plan = try IndexPlan(of: job)
        squares = LeafSquares(job, top.tasks)
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
    /// - Parameter withDirectories: whether to include those that only PMTiles needs.
    func units(withDirectories: Bool) -> [IndexUnit] {
        let leaves = top.tasks.indices.map { IndexUnit.leaves($0) }
        return withDirectories
            ? leaves + (0..<plan.directoryFiles).map { .directories($0) } : leaves
    }

    /// How much work a unit is, in points or tiles.
    func weight(of unit: IndexUnit) -> Int {
        switch unit {
        case .leaves(let number): top.tasks[number].leaves.count
        // An entry takes a hundredth of the work of a point.
        case .directories: DirectoriesFile.leavesInFile * plan.entriesInLeaf / 100
        }
    }

    func isDone(_ unit: IndexUnit) -> Bool { job.files.has(job.files.index(unit)) }

    func run(_ unit: IndexUnit) throws {
        if try !isDone(unit) && !takeOver(unit) {
            try make(unit, threads: job.options.threads) { _ in }
        }
    }

    /// Makes a unit that is neither there nor in the job before.
    /// - Parameter progress: is called with the number of further points whose blocks are made.
    func make(_ unit: IndexUnit, threads: Int, progress: (Int) -> Void) throws {
        // Another process may have made it meanwhile.
        if isDone(unit) {
            if !unit.isOfDirectories { progress(weight(of: unit)) }
            return
        }
        switch unit {
        case .leaves(let number): try writeBlocks(number, threads, progress)
        case .directories(let number): try DirectoriesFile.write(number, plan, job)
        }
    }

    /// Takes over a task's blocks from the job before, if they depend on the same; false if not.
    func takeOver(_ unit: IndexUnit) throws -> Bool {
        guard case .leaves(let number) = unit, let former = job.former, !blocksBefore.isEmpty,
            let inputs = try inputs(of: number, above(number)),
            let file = blocksBefore[inputs]
        else { return false }
        return former.give(file, as: job.files.index(unit), of: job.files)
    }

    private func writeBlocks(
        _ number: Int, _ threads: Int, _ progress: (Int) -> Void
    ) throws {
        let task = top.tasks[number]
        try fetch([.leaves(number)])
        let above = try above(number)
        let source = TaskLeaves(
            job, task, above: try above.clusters(), try CellLeaves.all(of: task, squares))
        var writer = try LeafBlocksWriter(
            number, task, facts[task.layer], job, inputs: try inputs(of: number, above))
        let stage = LeafStage(
            options: job.recipe.tiles, keys: job.keys.names, threads: threads,
            checkCancelled: job.checkCancelled)
        try stage.forEachPiece(of: source, facts) { part, blocks in
            try writer.append(part, blocks)
            progress(part.facts.leafCount)
        }
        try writer.finish(source.large, unfinished: source.unfinished)
    }

    /// Fetches at once what some units are made from, if the job's files are elsewhere.
    func fetch(_ units: [IndexUnit]) throws {
        guard job.folder.isRemote else { return }
        let tasks = units.compactMap { unit -> LeafTask? in
            guard case .leaves(let number) = unit else { return nil }
            return top.tasks[number]
        }
        let squares = Set(tasks.flatMap(\.squares)).sorted()
        try job.folder.fetch(
            tasks.map { .init(path: job.files.top, bytes: $0.clusters) }
                + (squares.map { job.files.numbers(of: job.name(of: $0)) } + [job.files.ids])
                .map { .init(path: $0, bytes: nil) })
        let cells = squares.filter(job.levels.isCell).map(job.name)
        try job.folder.fetchTails(of: cells.map { job.files.tree(of: $0, job.passLimit) })
        let leaves = try tasks.flatMap { try CellLeaves.all(of: $0, self.squares) }
        let entries = units.flatMap { unit -> [RemoteFiles.Piece] in
            guard case .directories(let number) = unit else { return [] }
            return plan.wanted(of: plan.entries(ofFile: number), job)
        }
        try job.folder.fetch(leaves.flatMap(\.wanted) + entries)
    }

    private func above(_ task: Int) throws -> ClustersAbove {
        try ClustersAbove(of: task, top, squares)
    }

    /// A sum over all that the blocks of a task depend on; nil if it is not known.
    private func inputs(of number: Int, _ above: ClustersAbove) throws -> UInt64? {
        guard job.keepsFiles else { return nil }
        let task = top.tasks[number]
        var sum = InputSum("leaves")
        var sink = BlockSink()
        sink.write(task.layer, task.leaves.count, facts[task.layer].opening)
        let start = task.leaves.lowerBound
        sink.write(task.open) { $0.write($1.zoom, $1.end - start) }
        sum.include(sink)
        above.include(in: &sum, from: start)
        for cell in task.squares.filter(job.levels.isCell) {
            try squares.include(leavesOf: number, in: cell, &sum)
        }
        return sum.value
    }

    /// Gathers the results of all units of leaves, and writes the payloads after the blocks.
    /// - Parameters:
    ///   - sink: takes the payloads.
    ///   - take: is called with each file of blocks; nil if none are wanted.
    ///   - progress: is called with the number of points whose blocks are put together.
    func finish(
        to sink: any PayloadSink, blocks take: ((LeafBlocksFile) throws -> Void)?,
        progress: (Int) -> Void
    ) throws -> (ledger: LeafLedger, files: [LeafBlocksFile]) {
        let paths = top.tasks.indices.map { job.files.index(.leaves($0)) }
        if take != nil { try job.folder.fetch(paths) } else { try job.folder.fetchTails(of: paths) }
        var ledger = LeafLedger(facts)
        var files: [LeafBlocksFile] = []
        let others = NotedPayloads(sink)
        var writer = ClusterWriter(others)
        var large = LargeOfTasks()
        try job.forEach(top.tasks.enumerated().map { ($0, $1) }) { [job, facts] number, task in
            (task, try LeafBlocksFile(number, task, facts[task.layer], job))
        } consume: { (task: LeafTask, file: LeafBlocksFile) in
            ledger.add(file.known)
            if job.recipe.tiles.leaves {
                try large.add(file, of: task, firstBlock: Int64(writer.blockCount))
            }
            try take?(file)
            for block in file.blocks {
                writer.include(blockOf: block.leaves, hull: block.hull, sum: block.sum)
            }
            files.append(file)
            progress(job.firstLeaves[task.layer] + task.leaves.upperBound)
        }
        if job.recipe.tiles.leaves, writer.blockCount > 0, let table = writer.table {
            try IDPages(job, plan, top.tasks, files, table, large.all).forEach {
                try writer.write($0)
            }
            let facts = ledger.facts
            ledger.blocks = try writer.finish(large.all) { job.recipe.id(of: $0, facts) }
        }
        if job.keepsFiles {
            try job.write(payloadSums: files.flatMap { $0.blocks.map(\.sum) } + others.sums)
        }
        return (ledger, files)
    }

    /// The archive's metadata.
    func metadata(_ ledger: LeafLedger) -> ArchiveMetadata {
        let deepest = plan.figures.zooms.last { $0.tiles > 0 }?.zoom
        return ArchiveFacts(
            job.recipe, ledger, keys: job.keys.names, job.zooms, plan.drawn.whole,
            deepest: deepest, generator: job.plan.generator
        ).metadata
    }
}

/// The large clusters of the tasks so far, by blocks of the archive.
private struct LargeOfTasks {
    private(set) var all: [LargeCluster] = []
    /// The indexes of those that continue in the next task, the outermost first.
    private var open: [Int] = []

    mutating func add(
        _ file: LeafBlocksFile, of task: LeafTask, firstBlock: Int64
    ) throws(JobError) {
        guard open.count == task.open.count else { throw .damaged(path: file.reader.path) }
        for (index, cluster) in zip(open, file.large) {
            let end = firstBlock + cluster.blocks.upperBound
            let start = all[index].blocks.lowerBound
            guard start <= end else { throw .damaged(path: file.reader.path) }
            all[index].blocks = start..<end
        }
        let own = file.large.dropFirst(open.count)
        let indexes = open + (all.count..<all.count + own.count)
        all += own.map { $0.moved(by: firstBlock) }
        open = file.unfinished.map { indexes[$0] }
    }
}
