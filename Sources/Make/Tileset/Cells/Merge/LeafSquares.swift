import Basics
import Points

/// The files of squares that tasks of leaves read. Several tasks need the same square, so files are cached.
final class LeafSquares: Sendable {
    struct Cell: Sendable {
        let tree: TreeFile
        let numbers: CellNumbers
        /// A sum over the unusual ids that its clusters may have.
        let ids: UInt64?

        /// Calls `body` with each node of a hierarchy that begins with leaves of a task, and the number of its first leaf.
        func forEachRoot(
            of unit: Int, in task: LeafTask, _ body: (_ root: Int, _ first: Int) -> Void
        ) throws {
            let firsts = numbers.firstLeaves[unit]
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
        /// For each hierarchy, the first leaves of clusters, and a sum over each where it is known.
        let clusters: [(firsts: Column<Int>, sums: Column<UInt64>)]
    }

    let job: CellJob
    private let unusual = Once<UnusualIDs>()
    private let cells: BoundedCache<Int, Cell>
    private let above: BoundedCache<Int, Above>

    private static let budget = 32 << 20

    init(_ job: CellJob) {
        self.job = job
        cells = BoundedCache(budget: Self.budget) {
            $0.numbers.byteCount + $0.tree.units.reduce(0) { $0 + $1.byteCount }
        }
        above = BoundedCache(budget: Self.budget) {
            $0.numbers.byteCount + $0.clusters.reduce(0) { $0 + 16 * $1.firsts.count }
        }
    }

    /// The ids that do not follow from their clusters alone.
    func ids() throws -> UnusualIDs {
        try unusual.get { try UnusualIDs(of: job) }
    }

    func cell(_ number: Int) throws -> Cell {
        try cells.value(for: number) {
            Cell(
                tree: try TreeFile(of: number, job.passLimit, job),
                numbers: try CellNumbers(of: number, job), ids: try sum(around: number))
        }
    }

    func above(_ number: Int) throws -> Above {
        try above.value(for: number) {
            let file = try UpperFile(of: number, job)
            return Above(
                file: file, numbers: try CellNumbers(of: number, job),
                ids: try sum(around: number),
                clusters: try job.units.indices.map { try file.sums(of: $0) })
        }
    }

    /// Includes all that the leaves of a task in a cell depend on, and their numbers, counted from the first of the task.
    func include(leavesOf task: LeafTask, in number: Int, _ sum: inout InputSum) throws {
        let cell = try cell(number)
        var nodes: UInt64 = 0
        for (unit, hierarchy) in job.units.enumerated() where hierarchy.layer == task.layer {
            let (sums, roots) = (cell.tree.units[unit].sums, cell.tree.units[unit].firstLeaves)
            guard sums.count == roots.count else {
                sum.isKnown = false
                return
            }
            try cell.forEachRoot(of: unit, in: task) { root, first in
                let place = UInt64(first - task.leaves.lowerBound) << 20 | UInt64(unit)
                nodes &+= PointsSum.mixed(PointsSum.mixed(0, place), sums[root])
            }
        }
        if let ids = cell.ids { sum.include(ids) } else { sum.isKnown = false }
        sum.include(nodes)
    }

    private func sum(around number: Int) throws -> UInt64? {
        guard job.keepsFiles else { return nil }
        let reach = job.reachOfNodes(from: job.levels.level(of: number).cutZoom)
        return try ids().sum(around: job.levels.square(number), within: reach)
    }
}

extension CellNumbers {
    fileprivate var byteCount: Int { firstLeaves.reduce(0) { $0 + 9 * $1.count } }
}

extension TreeFile.Unit {
    fileprivate var byteCount: Int {
        8 * firstLeaves.count + 8 * sums.count + 16 * blocks.count
    }
}
