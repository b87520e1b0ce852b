import ArchiveContract
import Basics
import Compression
import Pipelines
import Points
import TileArchive

/// The pages of the ids of all clusters. The files of tiles have sorted ids, by the cell in which the cluster stands. So
/// each cell's pages are made by themselves, and a job that stays takes over those that lead to the same blocks.
struct IDPages: Sendable {
    private let job: CellJob
    private let tasks: [LeafTask]
    /// For each square, the tasks that have its leaves or clusters.
    private let tasksOfSquares: [[Int]]
    /// The number of each task's first block, and at the end the number of all blocks.
    private let firstBlocks: [Int]
    /// For each task, a sum over all that its blocks depend on.
    private let inputs: [UInt64?]
    private let table: LeafBlockTable
    private let large: LargeIDs
    /// For each layer and each cell, the ids that each part has of it.
    private var sources: [[[(part: Int, run: IDRun)]]]

    init(
        _ job: CellJob, _ plan: IndexPlan, _ tasks: [LeafTask], _ files: [LeafBlocksFile],
        _ table: LeafBlockTable, _ large: [LargeCluster]
    ) throws {
        (self.job, self.tasks, self.table) = (job, tasks, table)
        firstBlocks = files.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.blocks.count) }
        inputs = files.map(\.inputs)
        var tasksOfSquares = job.levels.numbers.map { _ in [Int]() }
        for (number, task) in tasks.enumerated() {
            for square in task.squares { tasksOfSquares[square].append(number) }
        }
        self.tasksOfSquares = tasksOfSquares
        self.large = LargeIDs(large, in: table)
        let cells = job.division.cells
        sources = job.plan.layers.map { _ in cells.map { _ in [] } }
        for (part, layers) in plan.ids.enumerated() {
            for (layer, runs) in layers.enumerated() {
                for run in runs { sources[layer][run.cell].append((part, run)) }
            }
        }
        try job.folder.fetch(job.levels.numbers.map { job.files.numbers(of: job.name(of: $0)) })
        try job.folder.fetch(
            plan.ids.enumerated().flatMap { part, layers -> [RemoteFiles.Piece] in
                let path = IndexPlan.path(ofPart: part, job)
                return ([0..<JobFolder.usualHead] + layers.joined().map(\.bytes))
                    .map { .init(path: path, bytes: $0) }
            })
    }

    /// Calls `body` with each page, in the order of ids.
    func forEach(_ body: (EncodedPage) throws -> Void) throws {
        let cells = job.division.cells.count
        let numbers = PieceCounter(total: cells * job.plan.layers.count, size: 1)
        let compression = job.recipe.tiles.compression
        var pager = IDPager()
        var compressor = GzipCompressor(level: compression)
        func write(_ pages: [[(id: Int64, target: Int64)]]) throws {
            for page in pages { try body(EncodedPage(page, with: &compressor)) }
        }
        try OrderedPipeline(threads: job.options.threads).run(
            next: {
                try job.checkCancelled()
                return numbers.next().map { ($0.lowerBound / cells, $0.lowerBound % cells) }
            },
            state: { WorkerState(GzipCompressor(level: compression)) },
            work: { compressor, place in
                let cell = try Cell(layer: place.0, cell: place.1, self)
                return (cell, try pages(of: cell, with: &compressor.value))
            },
            consume: { (cell: Cell, pages: CellPages) in
                for (id, place) in zip(pages.ids, pages.places) {
                    try write(pager.add(id, target: Int64(block(place, cell))))
                }
                guard let first = pages.pages.first else { return }
                try write(pager.pass(squareOf: first.first))
                for page in pages.pages {
                    let blocks = page.blocks.map { Int64(block($0, cell)) }
                    let told = BlockOverview.Page(first: page.first, blocks: blocks)
                    try body(EncodedPage(page.bytes, told: told, sum: page.sum))
                }
            })
        try write(pager.finish())
    }

    private func block(_ place: CellPages.Place, _ cell: Cell) -> Int {
        firstBlocks[cell.tasks[place.task]] + place.block
    }

    /// The clusters of a layer that stand in a cell.
    private struct Cell: Sendable {
        let layer: Int
        let cell: Int
        /// The ids that the cell itself has of it.
        var own: IDRun?
        /// The ids that others have of it: the top, squares above, and cells beside it.
        var others: [PartIDs] = []
        /// The same ids except those of large clusters, part after part, each with the block that it leads to.
        let leads: [(id: Int64, task: Int, block: Int)]
        /// The tasks that may have leaves of the cell itself.
        var ownTasks: [Int] = []
        /// The tasks that may have leaves of any of these clusters.
        let tasks: [Int]

        init(layer: Int, cell: Int, _ all: IDPages) throws {
            (self.layer, self.cell) = (layer, cell)
            var (tasks, leads): (Set<Int>, [(id: Int64, task: Int, block: Int)]) = ([], [])
            for (part, run) in all.sources[layer][cell] {
                if part == cell + 1 {
                    own = run
                    ownTasks = all.tasksOfSquares[cell].filter { all.tasks[$0].layer == layer }
                    tasks.formUnion(ownTasks)
                    continue
                }
                let ids = try PartIDs(part, all.read(part, run), layer, all.job)
                others.append(ids)
                leads.reserveCapacity(leads.count + ids.sorted.ids.count)
                var cursor = all.cursor(layer: layer)
                try ids.forEach { id, leaf in
                    if all.large.contain(id, from: leaf) { return }
                    let place = try cursor.move(to: leaf)
                    if leads.last?.task != place.task { tasks.insert(place.task) }
                    leads.append((id, place.task, place.block))
                }
            }
            (self.tasks, self.leads) = (tasks.sorted(), leads)
        }

        /// Which of the cell's tasks one is.
        func index(ofTask task: Int) -> Int { tasks.indices.partitionPoint { tasks[$0] >= task } }
    }

    private func cursor(layer: Int) -> BlockCursor {
        BlockCursor(table, firstBlocks, tasks, layer: layer, from: job.firstLeaves[layer])
    }

    private func read(_ part: Int, _ run: IDRun) throws -> SortedIDs {
        try SortedIDs(
            in: job.read(IndexPlan.path(ofPart: part, job)).reader, at: run.bytes.lowerBound)
    }

    /// The pages of a cell: read from its file, taken over from the job before, or made.
    private func pages(of cell: Cell, with compressor: inout GzipCompressor) throws -> CellPages {
        guard let inputs = inputs(of: cell) else { return try make(cell, with: &compressor) }
        let name = job.division.cells[cell.cell].cellName
        let path = job.files.pages(ofLayer: cell.layer, in: name)
        let blocks = cell.tasks.map { firstBlocks[$0 + 1] - firstBlocks[$0] }
        if job.files.has(path),
            let own = try CellPages(in: path, following: inputs, blocks: blocks, job)
        {
            return own
        }
        if let former = job.former {
            let old = former.files.pages(ofLayer: cell.layer, in: name)
            if let pages = try? CellPages(in: old, following: inputs, blocks: blocks, job),
                former.give(old, as: path, of: job.files)
            {
                return pages
            }
        }
        let pages = try make(cell, with: &compressor)
        try pages.write(to: path, following: inputs, job)
        return pages
    }

    /// A sum over all that the pages of a cell depend on: its ids, the tasks with its own leaves, and the blocks that other
    /// ids lead to.
    private func inputs(of cell: Cell) -> UInt64? {
        guard job.keepsFiles else { return nil }
        var sum = InputSum("pages")
        if let own = cell.own { sum.include(own.sum) }
        for task in cell.ownTasks {
            guard let own = inputs[task] else { return nil }
            sum.include(UInt64(cell.index(ofTask: task)))
            sum.include(own)
        }
        // Blocks are counted from the first of their task, so what comes before does not matter.
        sum.include(
            cell.leads.reduce(0) { sum, lead in
                let task = UInt64(cell.index(ofTask: lead.task))
                return [UInt64(lead.id), task, UInt64(lead.block)].reduce(sum, PointsSum.mixed)
            })
        return sum.value
    }

    private func make(_ cell: Cell, with compressor: inout GzipCompressor) throws -> CellPages {
        let (ids, leaves) = try merged(cell)
        var cursor = cursor(layer: cell.layer)
        func place(_ leaf: Int64) throws -> CellPages.Place {
            let place = try cursor.move(to: leaf)
            return .init(task: cell.index(ofTask: place.task), block: place.block)
        }
        var pages = CellPages()
        guard ids.count > IDPage.size else {
            (pages.ids, pages.places) = (ids, try leaves.map(place))
            return pages
        }
        var pager = IDPager()
        var waiting: [[(id: Int64, target: Int64)]] = []
        for (id, leaf) in zip(ids, leaves) { waiting += pager.add(id, target: leaf) }
        for page in waiting + pager.finish() {
            var firsts: [Int64: Int64] = [:]
            let packed = EncodedPage(page, with: &compressor) { leaf in
                let block = table.block(ofLeaf: leaf)
                if firsts[block] == nil { firsts[block] = leaf }
                return block
            }
            pages.pages.append(
                .init(
                    first: packed.told.first,
                    blocks: try packed.told.blocks.map { try place(firsts[$0] ?? 0) },
                    bytes: packed.bytes, sum: packed.sum))
        }
        return pages
    }

    /// All ids of a cell except those of large clusters, ascending, each with its first leaf in the archive.
    private func merged(_ cell: Cell) throws -> (ids: [Int64], leaves: [Int64]) {
        var parts = cell.others
        if let own = cell.own {
            let part = cell.cell + 1
            parts.append(try PartIDs(part, read(part, own), cell.layer, job))
        }
        var heap = LeastFirst<Keyed<Int64, Int>>()
        for index in parts.indices {
            if let least = parts[index].sorted.least { heap.insert(Keyed(least, index)) }
        }
        var (ids, leaves): ([Int64], [Int64]) = ([], [])
        var last: Int64 = 0
        while let index = heap.removeLeast()?.item {
            while let least = parts[index].sorted.least, least <= heap.least?.key ?? .max {
                guard least > last else {
                    throw JobError.doesNotAddUp("two clusters have the id \(least)")
                }
                last = least
                let leaf = try parts[index].take().leaf
                if large.contain(least, from: leaf) { continue }
                ids.append(least)
                leaves.append(leaf)
            }
            if let least = parts[index].sorted.least { heap.insert(Keyed(least, index)) }
        }
        return (ids, leaves)
    }
}
