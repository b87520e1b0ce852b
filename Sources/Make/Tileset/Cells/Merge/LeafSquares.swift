import Basics
import Points

/// The files of squares that tasks of leaves read. Several tasks need the same square, so files are cached.
final class LeafSquares: Sendable {
    struct Cell: Sendable {
        let tree: TreeFile
        /// For each hierarchy, the number of the first leaf of each node within the layer.
        let firstLeaves: [Column<Int>]
        /// A sum over the unusual ids that its clusters may have.
        let ids: UInt64?
        /// For each task, a sum over the nodes that begin with its leaves, and where they are in the task; nil if it is
        /// not known.
        let sums: [UInt64]?

        /// Calls `body` with each node of a hierarchy that begins with leaves of a task, and the number of its first leaf.
        func forEachRoot(
            of unit: Int, in task: LeafTask, _ body: (_ root: Int, _ first: Int) -> Void
        ) throws {
            let firsts = firstLeaves[unit]
            guard firsts.count == tree.units[unit].firstLeaves.count else {
                throw JobError.damaged(path: tree.path)
            }
            for root in 0..<firsts.count where task.leaves.contains(firsts[root]) {
                body(root, firsts[root])
            }
        }
    }

    struct Above: Sendable {
        let file: UpperFile
        let numbers: CellNumbers
        let ids: UInt64?
        /// For each hierarchy, the clusters by the number of the task with whose leaves they begin.
        let clusters: [[Int: Clusters]]
    }

    /// Clusters that begin with the leaves of one task.
    struct Clusters: Sendable {
        /// Their indexes, and the number of the first leaf of each.
        var all: [(index: Int, first: Int)] = []
        /// A sum over them, and where they are in the task; nil if it is not known.
        var sum: UInt64? = 0
    }

    let job: CellJob
    let tasks: [LeafTask]
    private let unusual = Once<UnusualIDs>()
    private let cells: BoundedCache<Int, Cell>
    private let excerpts: BoundedCache<Int, Cell>
    private let above: BoundedCache<Int, Above>

    private static let budget = 32 << 20

    init(_ job: CellJob, _ tasks: [LeafTask]) {
        (self.job, self.tasks) = (job, tasks)
        cells = BoundedCache(budget: Self.budget, size: \.byteCount)
        excerpts = BoundedCache(budget: Self.budget, size: \.byteCount)
        above = BoundedCache(budget: Self.budget) {
            $0.numbers.byteCount
                + $0.clusters.joined().reduce(0) { $0 + 16 * $1.value.all.count }
        }
    }

    /// The ids that do not follow from their clusters alone.
    func ids() throws -> UnusualIDs {
        try unusual.get { try UnusualIDs(of: job) }
    }

    func cell(_ number: Int) throws -> Cell {
        try cells.value(for: number) {
            let tree = try TreeFile(of: number, job.passLimit, job)
            let numbers = try CellNumbers(of: number, job)
            return Cell(
                tree: tree, firstLeaves: numbers.firstLeaves, ids: try sum(around: number),
                sums: try sums(of: tree, numbers))
        }
    }

    /// The cell, or its excerpt if that has all that a task needs.
    func cell(_ number: Int, for task: Int) throws -> Cell {
        try excerpt(of: number, for: task) ?? cell(number)
    }

    func excerpt(of number: Int, for task: Int) throws -> Cell? {
        try excerpt(of: number).flatMap { $0.tree.tasks.contains(task) ? $0 : nil }
    }

    private func excerpt(of number: Int) throws -> Cell? {
        guard job.folder.isRemote, job.files.has(job.files.excerpt(of: job.name(of: number)))
        else { return nil }
        return try excerpts.value(for: number) {
            let tree = try TreeFile(excerptOf: number, job)
            return Cell(
                tree: tree, firstLeaves: tree.units.map(\.numbers), ids: nil, sums: nil)
        }
    }

    func above(_ number: Int) throws -> Above {
        try above.value(for: number) {
            let (file, numbers) = (try UpperFile(of: number, job), try CellNumbers(of: number, job))
            return Above(
                file: file, numbers: numbers, ids: try sum(around: number),
                clusters: try job.units.indices.map { try clusters(of: $0, file, numbers) })
        }
    }

    /// Includes all that the leaves of a task in a cell depend on, and their numbers, counted from the first of the task.
    func include(leavesOf task: Int, in number: Int, _ sum: inout InputSum) throws {
        let cell = try cell(number)
        guard let ids = cell.ids, let nodes = cell.sums?[task] else {
            sum.isKnown = false
            return
        }
        sum.include(ids)
        sum.include(nodes)
    }

    private func sums(of tree: TreeFile, _ numbers: CellNumbers) throws -> [UInt64]? {
        guard job.keepsFiles else { return nil }
        var all = tasks.map { _ in UInt64(0) }
        for (unit, hierarchy) in job.units.enumerated() {
            let (sums, firsts) = (tree.units[unit].sums, numbers.firstLeaves[unit])
            guard sums.count == firsts.count else { return nil }
            var task = TaskCursor(tasks, layer: hierarchy.layer)
            for root in 0..<firsts.count {
                guard let offset = task.move(to: firsts[root]) else {
                    throw JobError.damaged(path: tree.path)
                }
                let place = UInt64(offset) << 20 | UInt64(unit)
                all[task.number] &+= PointsSum.mixed(PointsSum.mixed(0, place), sums[root])
            }
        }
        return all
    }

    private func clusters(
        of unit: Int, _ file: UpperFile, _ numbers: CellNumbers
    ) throws -> [Int: Clusters] {
        let (known, roots) = (file.units[unit], numbers.firstLeaves[unit])
        let (firsts, sums) = try file.sums(of: unit)
        guard roots.count == known.firstLeaves.count else {
            throw JobError.damaged(path: file.path)
        }
        var clusters: [Int: Clusters] = [:]
        var task = TaskCursor(tasks, layer: job.units[unit].layer)
        var root = 0
        for cluster in 0..<firsts.count {
            while root + 1 < roots.count, known.firstLeaves[root + 1] <= firsts[cluster] {
                root += 1
            }
            let first = roots[root] + firsts[cluster] - known.firstLeaves[root]
            guard let offset = task.move(to: first) else {
                throw JobError.damaged(path: file.path)
            }
            let sum = cluster < sums.count ? sums[cluster] : nil
            clusters[task.number, default: Clusters()].add(cluster, first, at: offset, sum)
        }
        return clusters
    }

    private func sum(around number: Int) throws -> UInt64? {
        guard job.keepsFiles else { return nil }
        let reach = job.reachOfNodes(from: job.levels.level(of: number).cutZoom)
        return try ids().sum(around: job.levels.square(number), within: reach)
    }
}

extension LeafSquares.Clusters {
    fileprivate mutating func add(_ index: Int, _ first: Int, at offset: Int, _ own: UInt64?) {
        all.append((index, first))
        guard let before = sum, let own else {
            sum = nil
            return
        }
        sum = PointsSum.mixed(PointsSum.mixed(before, UInt64(offset)), own)
    }
}

extension LeafSquares.Cell {
    fileprivate var byteCount: Int {
        firstLeaves.reduce(8 * (sums?.count ?? 0)) { $0 + 8 * $1.count }
            + tree.units.reduce(0) { $0 + $1.byteCount }
    }
}

extension CellNumbers {
    fileprivate var byteCount: Int { firstLeaves.reduce(0) { $0 + 9 * $1.count } }
}

extension TreeFile.Unit {
    fileprivate var byteCount: Int {
        8 * firstLeaves.count + 8 * sums.count + 8 * numbers.count + 16 * blocks.count
    }
}
