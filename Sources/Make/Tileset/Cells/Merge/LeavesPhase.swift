import Points

/// Makes the leaf blocks, task by task. It needs the top and the trees of cells, but no tiles.
struct LeavesPhase {
    let job: CellJob
    let top: TopClusters
    /// The facts about each layer before its leaves.
    let facts: [LayerFacts]
    private let squares: LeafSquares
    /// The files of blocks of the job before, by the sum of what they depend on.
    private let blocksBefore: [UInt64: String]

    init(_ job: CellJob) throws {
        self.job = job
        blocksBefore = job.former.map { LeafBlocksFile.all(of: $0, job) } ?? [:]
        try job.folder.fetchTails(of: [job.files.top])
        let top = try TopClusters(of: job)
        self.top = top
        squares = LeafSquares(job, top.tasks)
        facts = zip(job.recipe.layers, job.firstLeaves).enumerated().map { index, layer in
            var facts = LayerFacts(
                layer.0.name, firstLeaf: layer.1, groupCount: job.plan.layers[index].groups.count,
                attributes: TilesetBuild.attributes(of: layer.0),
                extras: job.zooms.extras(of: layer.0))
            facts.include(top.layers[index].spread)
            return facts
        }
    }

    func isDone(_ number: Int) -> Bool { job.files.has(job.files.index(.leaves(number))) }

    /// Takes over a task's blocks from the job before, if they depend on the same; false if not.
    func takeOver(_ number: Int) throws -> Bool {
        guard let former = job.former, !blocksBefore.isEmpty,
            let inputs = try inputs(of: number, above(number)),
            let file = blocksBefore[inputs]
        else { return false }
        return former.give(file, as: job.files.index(.leaves(number)), of: job.files)
    }

    /// Makes the blocks of a task.
    /// - Parameter progress: is called with the number of further points whose blocks are made.
    func make(_ number: Int, threads: Int, progress: (Int) -> Void = { _ in }) throws {
        let task = top.tasks[number]
        try fetch([number])
        let above = try above(number)
        let source = TaskLeaves(
            job, task, above: try above.clusters(), try CellLeaves.all(ofTask: number, squares))
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

    /// Fetches at once what some tasks read, if the job's files are elsewhere.
    /// - Parameter others: what else is wanted.
    func fetch(_ numbers: [Int], and others: [RemoteFiles.Piece] = []) throws {
        guard job.folder.isRemote else { return }
        let tasks = numbers.map { top.tasks[$0] }
        let all = Set(tasks.flatMap(\.squares)).sorted()
        try job.folder.fetchTails(of: all.map(excerpt).filter(job.files.has))
        let squares = try all.filter { square in
            try numbers.contains {
                try top.tasks[$0].squares.contains(square)
                    && self.squares.excerpt(of: square, for: $0) == nil
            }
        }
        try job.folder.fetch(
            tasks.map { .init(path: job.files.top, bytes: $0.clusters) }
                + (squares.map { job.files.numbers(of: job.name(of: $0)) } + [job.files.ids])
                .map { .init(path: $0, bytes: nil) })
        try job.folder.fetchTails(
            of: squares.map { job.files.tree(of: job.name(of: $0), job.passLimit(of: $0)) })
        let clusters = try UpperFile.pieces(of: squares.filter { !job.levels.isCell($0) }, job) {
            [$0.sums, $0.clusters]
        }
        let leaves = try numbers.flatMap { try CellLeaves.all(ofTask: $0, self.squares) }
        try job.folder.fetch(leaves.flatMap(\.wanted) + clusters + others)
    }

    private func excerpt(of square: Int) -> String { job.files.excerpt(of: job.name(of: square)) }

    private func above(_ task: Int) throws -> ClustersAbove {
        try ClustersAbove(of: task, top, squares)
    }

    /// A sum over all that the blocks of a task depend on; nil if it is not known.
    private func inputs(of number: Int, _ above: ClustersAbove) throws -> UInt64? {
        guard job.keepsFiles else { return nil }
        let task = top.tasks[number]
        var sum = InputSum("leaves")
        var sink = BlockSink()
        sink.write(task.layer, task.leaves.count)
        let start = task.leaves.lowerBound
        sink.write(task.open) { $0.write($1.zoom, $1.end - start) }
        sum.include(sink)
        above.include(in: &sum, from: start)
        for cell in task.cells(of: job) {
            try squares.include(leavesOf: number, in: cell, &sum)
        }
        return sum.value
    }
}
