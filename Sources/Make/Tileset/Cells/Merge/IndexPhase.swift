import ArchiveContract
import Points
import TileArchive

/// The fifth phase: makes the leaf blocks, and for PMTiles the directories, task by task.
struct IndexPhase {
    let job: CellJob
    let leaves: LeavesPhase
    let plan: IndexPlan

    init(_ job: CellJob) throws {
        self.job = job
        leaves = try LeavesPhase(job)
        plan = try IndexPlan(of: job)
    }

    var top: TopClusters { leaves.top }

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
        case .leaves(let number): try leaves.make(number, threads: threads, progress: progress)
        case .directories(let number): try DirectoriesFile.write(number, plan, job)
        }
    }

    /// Takes over a task's blocks from the job before, if they depend on the same; false if not.
    func takeOver(_ unit: IndexUnit) throws -> Bool {
        guard case .leaves(let number) = unit else { return false }
        return try leaves.takeOver(number)
    }

    /// Fetches at once what some units are made from, if the job's files are elsewhere.
    func fetch(_ units: [IndexUnit]) throws {
        guard job.folder.isRemote else { return }
        var tasks: [Int] = []
        var entries: [RemoteFiles.Piece] = []
        for unit in units {
            switch unit {
            case .leaves(let number): tasks.append(number)
            case .directories(let number):
                entries += plan.wanted(of: plan.entries(ofFile: number), job)
            }
        }
        try leaves.fetch(tasks, and: entries)
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
        var ledger = LeafLedger(leaves.facts)
        var files: [LeafBlocksFile] = []
        let others = NotedPayloads(sink)
        var writer = ClusterWriter(others)
        var large = LargeOfTasks()
        try job.forEach(top.tasks.enumerated().map { ($0, $1) }) { [job, leaves] number, task in
            (task, try LeafBlocksFile(number, task, leaves.facts[task.layer], job))
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
