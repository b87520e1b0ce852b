import ArchiveContract

/// Finds the tasks of leaves of a layer. Most leaves are in the task of the one before.
struct TaskCursor {
    private let tasks: [LeafTask]
    private let layer: Int
    /// The number of the task with the last leaf, and its leaves.
    private(set) var number = 0
    private var leaves = 0..<0

    init(_ tasks: [LeafTask], layer: Int) { (self.tasks, self.layer) = (tasks, layer) }

    /// Finds the task of a leaf; returns where the leaf is in it, or nil if there is none.
    mutating func move(to leaf: Int) -> Int? {
        if !leaves.contains(leaf) {
            number = tasks.index(ofLeaf: leaf, layer: layer)
            guard tasks.indices.contains(number), tasks[number].layer == layer,
                tasks[number].leaves.contains(leaf)
            else { return nil }
            leaves = tasks[number].leaves
        }
        return leaf - leaves.lowerBound
    }
}

/// Finds the blocks that hold leaves of a layer. Most leaves are in the block of the one before.
struct BlockCursor {
    private let table: LeafBlockTable
    /// The number of each task's first block.
    private let firstBlocks: [Int]
    /// The number of the layer's first leaf in the archive.
    private let start: Int64
    private var tasks: TaskCursor
    private var leaves: Range<Int64> = 0..<0
    private var block = 0

    init(
        _ table: LeafBlockTable, _ firstBlocks: [Int], _ tasks: [LeafTask], layer: Int,
        from start: Int
    ) {
        (self.table, self.firstBlocks, self.start) = (table, firstBlocks, Int64(start))
        self.tasks = TaskCursor(tasks, layer: layer)
    }

    /// Finds the block of a leaf, which has its number in the archive.
    /// - Returns: the number of its task, and that of the block within the task.
    mutating func move(to leaf: Int64) throws(JobError) -> (task: Int, block: Int) {
        if !leaves.contains(leaf) {
            guard tasks.move(to: Int(leaf - start)) != nil else {
                throw .doesNotAddUp("no task has leaf \(leaf), with which a cluster begins")
            }
            let number = table.block(ofLeaf: leaf)
            block = Int(number) - firstBlocks[tasks.number]
            leaves = table.leaves(ofBlock: number)
        }
        return (tasks.number, block)
    }
}
