import Basics
import Points

/// The leaves of a task that one cell holds, in the order of the archive: node after node that was handed up, read from
/// the blocks of the cell's tree. A block stays in memory until the last of its leaves in the task is taken.
struct CellLeaves {
    /// A node that was handed up, without the leaves that are taken already.
    private struct Node {
        /// The number of its next leaf within the layer.
        var first: Int
        let unit: Int
        /// The remaining leaves, as numbered in the cell's tree.
        var leaves: Range<Int>
    }

    private struct BlockKey: Hashable {
        let unit: Int
        let block: Int
    }

    private let job: CellJob
    private let file: TreeFile
    private let ids: UnusualIDs
    private var nodes: [Node]
    private var index = 0
    /// For each hierarchy, the number of leaves in each block that are not taken yet.
    private var left: [[Int]]
    private var open: [BlockKey: CellNodes] = [:]

    /// The leaves of a task in each of its cells.
    static func all(ofTask number: Int, _ squares: LeafSquares) throws -> [CellLeaves] {
        let task = squares.tasks[number]
        return try task.cells(of: squares.job).map {
            try CellLeaves(of: squares.cell($0, for: number), task, squares)
        }
    }

    private init(
        of cell: LeafSquares.Cell, _ task: LeafTask, _ squares: LeafSquares
    ) throws {
        (job, ids) = (squares.job, try squares.ids())
        file = cell.tree
        var nodes: [Node] = []
        for (unit, hierarchy) in job.units.enumerated() where hierarchy.layer == task.layer {
            let tree = file.units[unit]
            try cell.forEachRoot(of: unit, in: task) { root, first in
                nodes.append(Node(first: first, unit: unit, leaves: tree.leaves(ofRoot: root)))
            }
        }
        nodes.sort { $0.first < $1.first }
        left = file.units.map { $0.blocks.map { _ in 0 } }
        for node in nodes {
            for block in Self.blocks(of: node.leaves) {
                let own = file.units[node.unit].leaves(ofBlock: block).clamped(to: node.leaves)
                left[node.unit][block] += own.count
            }
        }
        self.nodes = nodes
    }

    private static func blocks(of leaves: Range<Int>) -> ClosedRange<Int> {
        let size = TreeFile.leavesInBlock
        return leaves.lowerBound / size...(leaves.upperBound - 1) / size
    }

    /// The stretches of the cell's file with all blocks of these leaves.
    var wanted: [RemoteFiles.Piece] {
        var bytes: [Range<Int>] = []
        let blocks = zip(file.units, left).flatMap { unit, left in
            zip(unit.blocks, left).filter { $0.1 > 0 }.map(\.0)
        }
        for block in blocks {
            if let last = bytes.last, last.upperBound == block.lowerBound {
                bytes[bytes.count - 1] = last.lowerBound..<block.upperBound
            } else {
                bytes.append(block)
            }
        }
        return bytes.map { .init(path: file.path, bytes: $0) }
    }

    /// The number of the next leaf within the layer.
    var next: Int? { index < nodes.count ? nodes[index].first : nil }

    /// Appends consecutive leaves with numbers less than `end`, and the clusters that begin with them.
    /// - Returns: the number of leaves.
    mutating func take(below end: Int, into result: inout CellNodes) throws -> Int {
        guard let start = next else { return 0 }
        var number = start
        var run = Run()
        while index < nodes.count, nodes[index].first == number, number < end {
            let node = nodes[index]
            let block = node.leaves.lowerBound / TreeFile.leavesInBlock
            let key = BlockKey(unit: node.unit, block: block)
            let blockLeaves = file.units[node.unit].leaves(ofBlock: block)
            let count =
                min(
                    node.leaves.upperBound, blockLeaves.upperBound,
                    node.leaves.lowerBound + end - number) - node.leaves.lowerBound
            if run.key != key {
                close(&run, into: &result)
                run.key = key
                run.firsts = try read(key)
            }
            let own = node.leaves.lowerBound..<node.leaves.lowerBound + count
            run.selection.note(
                own, from: blockLeaves.lowerBound, run.firsts, numbered: number)
            number += count
            nodes[index].first = number
            nodes[index].leaves = own.upperBound..<node.leaves.upperBound
            if nodes[index].leaves.isEmpty { index += 1 }
        }
        close(&run, into: &result)
        return number - start
    }

    /// Some leaves of one block, which are copied together.
    private struct Run {
        var key: BlockKey?
        /// The first leaf of each cluster of the block.
        var firsts = Column<Int>()
        var selection = NumberedSelection()
    }

    /// Reads a block, unless it is in memory, and returns the first leaf of each of its clusters.
    private mutating func read(_ key: BlockKey) throws -> Column<Int> {
        if let firsts = open[key]?.nodes.firsts { return firsts }
        var nodes = try file.nodes(ofBlock: key.block, of: key.unit)
        // In blocks of leaves, points have their own positions.
        nodes.shares = CoincidentLeaves()
        nodes.name(by: ids, unit: key.unit, of: job)
        open[key] = nodes
        return nodes.nodes.firsts
    }

    private mutating func close(_ run: inout Run, into result: inout CellNodes) {
        guard let key = run.key, let block = open[key] else { return }
        result.append(block, run.selection)
        left[key.unit][key.block] -= run.selection.leaves.count
        if left[key.unit][key.block] <= 0 { open[key] = nil }
        run = Run()
    }
}

/// Selected leaves and clusters of a block, with the number that each cluster's first leaf gets.
struct NumberedSelection {
    var leaves: [UInt32] = []
    var clusters: [(row: Int, first: Int)] = []

    /// Selects consecutive leaves of a block, and the clusters that begin with them.
    /// - Parameters:
    ///   - start: the first leaf of the block.
    ///   - firsts: the first leaf of each cluster of the block.
    ///   - number: the number that the first of these leaves gets.
    mutating func note(
        _ selected: Range<Int>, from start: Int, _ firsts: Column<Int>, numbered number: Int
    ) {
        leaves += UInt32(selected.lowerBound - start)..<UInt32(selected.upperBound - start)
        var cluster = (0..<firsts.count).partitionPoint { firsts[$0] >= selected.lowerBound }
        while cluster < firsts.count, firsts[cluster] < selected.upperBound {
            clusters.append((cluster, number + firsts[cluster] - selected.lowerBound))
            cluster += 1
        }
    }
}

extension CellNodes {
    mutating func append(_ other: CellNodes, _ selection: NumberedSelection) {
        for leaf in selection.leaves {
            nodes.leafParentZooms.append(other.nodes.leafParentZooms[Int(leaf)])
        }
        points.append(selection.leaves.span, of: other.points)
        for (row, first) in selection.clusters {
            append(cluster: row, of: other, first: first)
        }
    }
}
