import Clustering
import Points

/// What a process that makes the tiles of some cells does for the blocks of leaves, as long as it has the trees of
/// these cells: it makes the blocks whose leaves are all in these cells, and writes excerpts of the leaves in other blocks,
/// which are then made without reading here and there in trees.
struct LeafShare {
    private let phase: LeavesPhase
    /// For each cell, the tasks that are made with its tiles.
    private var own: [Int: [Int]] = [:]
    /// For each cell, the tasks that also have leaves of cells that are not among these.
    private var shared: [Int: [Int]] = [:]

    private var job: CellJob { phase.job }

    init(of cells: [Int], _ job: CellJob) throws {
        try job.files.makeFolder("index")
        phase = try LeavesPhase(job)
        let all = Set(cells)
        for number in phase.top.tasks.indices where !phase.isDone(number) {
            let cells = phase.top.tasks[number].cells(of: job)
            guard let first = cells.first else { continue }
            if all.isSuperset(of: cells) {
                own[first, default: []].append(number)
            } else {
                for cell in cells where all.contains(cell) {
                    shared[cell, default: []].append(number)
                }
            }
        }
        try phase.fetch(own.values.joined().sorted())
    }

    /// Does what is to be done along with the tiles of a cell.
    func run(_ cell: Int) throws {
        for number in own[cell] ?? [] {
            try job.checkCancelled()
            try phase.make(number, threads: job.options.threads)
        }
        if let tasks = shared[cell] { try writeExcerpt(of: cell, for: tasks) }
    }

    private func writeExcerpt(of cell: Int, for tasks: [Int]) throws {
        let path = job.files.excerpt(of: job.name(of: cell))
        // One that was made for other tasks stays, as blocks may be made from it at this time.
        if job.files.has(path) { return }
        let wanted = tasks.map { phase.top.tasks[$0] }
        let (tree, numbers) = (
            try TreeFile(of: cell, job.passLimit, job), try CellNumbers(of: cell, job)
        )
        var writer = try TreeFileWriter(path, job)
        for (unit, hierarchy) in job.units.enumerated() {
            let firsts = numbers.firstLeaves[unit]
            guard firsts.count == tree.units[unit].firstLeaves.count else {
                throw JobError.damaged(path: tree.path)
            }
            // Task after task, as each is read by itself.
            let roots = wanted.filter { $0.layer == hierarchy.layer }.flatMap { task in
                (0..<firsts.count).filter { task.leaves.contains(firsts[$0]) }
            }
            let (nodes, firstLeaves) = try excerpt(of: tree, unit, roots)
            try writer.append(
                nodes, firstLeaves: firstLeaves, numbers: Column(roots.map { firsts[$0] }))
        }
        try writer.finish(excerptFor: tasks)
    }

    /// Some nodes of a hierarchy and all that is below them, with leaves numbered anew.
    private func excerpt(
        of tree: TreeFile, _ unit: Int, _ roots: [Int]
    ) throws -> (nodes: CellNodes, firstLeaves: Column<Int>) {
        var nodes = CellNodes(keys: job.keys)
        var firstLeaves = Column<Int>()
        var (block, read) = (-1, CellNodes(keys: job.keys))
        for root in roots {
            firstLeaves.append(nodes.points.count)
            var leaves = tree.units[unit].leaves(ofRoot: root)
            while let leaf = leaves.first {
                if leaf / TreeFile.leavesInBlock != block {
                    block = leaf / TreeFile.leavesInBlock
                    read = try tree.nodes(ofBlock: block, of: unit)
                    // In blocks of leaves, points have their own positions.
                    read.shares = CoincidentLeaves()
                }
                let here = tree.units[unit].leaves(ofBlock: block)
                let some = leaves.clamped(to: here)
                var selection = NumberedSelection()
                selection.note(
                    some, from: here.lowerBound, read.nodes.firsts, numbered: nodes.points.count)
                nodes.append(read, selection)
                leaves = some.upperBound..<leaves.upperBound
            }
        }
        return (nodes, firstLeaves)
    }
}
