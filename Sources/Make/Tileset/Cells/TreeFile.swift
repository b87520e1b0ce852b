import Points

/// The file with the tree of a cell: for each hierarchy, the first leaf of each node handed up, and
/// all that is below these nodes, in blocks of a number of leaves and the clusters that begin with
/// them. Leaves count from 0, node after node.
///
/// An excerpt has only some of the nodes.
struct TreeFile: Sendable {
    /// One hierarchy.
    struct Unit: Sendable {
        /// The first leaf of each node that was handed up.
        let firstLeaves: Column<Int>
        let leafCount: Int
        /// The ranges of the blocks in the file.
        let blocks: [Range<Int>]
        /// A sum over each node and all below it, where a later job may ask for it.
        let sums: Column<UInt64>
        /// In an excerpt, the number of each node's first leaf within the layer.
        let numbers: Column<Int>

        /// The leaves of a node.
        func leaves(ofRoot root: Int) -> Range<Int> {
            let next = root + 1
            return Int(
                firstLeaves[root])..<(next < firstLeaves.count
                ? firstLeaves[next] : leafCount)
        }

        /// The leaves of a block.
        func leaves(ofBlock block: Int) -> Range<Int> {
            let start = block * TreeFile.leavesInBlock
            return start..<min(start + TreeFile.leavesInBlock, leafCount)
        }
    }

    static let leavesInBlock = 4_096

    let path: String
    let units: [Unit]
    /// The tasks of leaves for which an excerpt has all that they need of the cell.
    let tasks: [Int]
    private let reader: JobFileReader
    private let keys: StoredKeys

    init(of cell: Int, _ passes: Int, _ job: CellJob) throws {
        try self.init(job.files.tree(of: job.name(of: cell), passes), job)
    }

    init(excerptOf cell: Int, _ job: CellJob) throws {
        try self.init(job.files.excerpt(of: job.name(of: cell)), job)
    }

    private init(_ path: String, _ job: CellJob) throws {
        self.path = path
        (reader, keys) = try job.read(path)
        (units, tasks) = try reader.decodeTail { (source) throws(BlockSource.Damaged) in
            (
                try source.array { (source) throws(BlockSource.Damaged) in try Unit(&source) },
                try [Int](from: &source)
            )
        }
        guard units.count == job.units.count else { throw JobError.damaged(path: path) }
    }

    /// The nodes of a block.
    func nodes(ofBlock block: Int, of unit: Int) throws(JobError) -> CellNodes {
        let nodes = try reader.cellNodes(at: units[unit].blocks[block].lowerBound, keys)
        guard nodes.points.count == units[unit].leaves(ofBlock: block).count else {
            throw .damaged(path: path)
        }
        return nodes
    }

    /// All nodes of a hierarchy.
    func nodes(of unit: Int) throws(JobError) -> CellNodes {
        let blocks = units[unit].blocks.indices
        guard let first = blocks.first else { return CellNodes(keys: keys.keys) }
        var nodes = try nodes(ofBlock: first, of: unit)
        for block in blocks.dropFirst() {
            nodes.append(try self.nodes(ofBlock: block, of: unit))
        }
        return nodes
    }
}

extension TreeFile.Unit {
    fileprivate init(_ source: inout BlockSource) throws(BlockSource.Damaged) {
        firstLeaves = try source.counts()
        (leafCount, blocks) = try source.values()
        sums = try source.column()
        numbers = try source.counts()
        let size = TreeFile.leavesInBlock
        guard (0..<1 << 32).contains(leafCount), [0, firstLeaves.count].contains(sums.count),
            [0, firstLeaves.count].contains(numbers.count),
            blocks.count == (leafCount + size - 1) / size
        else { throw BlockSource.Damaged() }
        var last = -1
        for first in firstLeaves.span.indices {
            let leaf = firstLeaves[first]
            guard leaf > last, leaf < leafCount else { throw BlockSource.Damaged() }
            last = leaf
        }
    }
}

/// Writes the file of a cell's tree.
struct TreeFileWriter: ~Copyable {
    private var writer: JobFileWriter
    private var tail = BlockSink()

    init(_ path: String, _ job: CellJob) throws(JobError) {
        writer = try job.write(path)
        tail.write(varint: job.units.count)
    }

    /// Appends a hierarchy.
    /// - Parameters:
    ///   - nodes: the hierarchy's nodes, in the order of their leaves.
    ///   - hasSums: whether a later job may take over files that depend on them.
    ///   - numbers: in an excerpt, the number of each node's first leaf within the layer.
    mutating func append(
        _ nodes: CellNodes, firstLeaves: Column<Int>, hasSums: Bool = false,
        numbers: Column<Int> = Column()
    ) throws(JobError) {
        let leafCount = nodes.points.count
        var blocks: [Range<Int>] = []
        for start in stride(from: 0, to: leafCount, by: TreeFile.leavesInBlock) {
            let end = min(start + TreeFile.leavesInBlock, leafCount)
            let clusters = nodes.nodes.clusters(beginningWith: start..<end)
            var block = CellNodes(keys: nodes.records.keys)
            block.append(nodes, leaves: start..<end, clusters: clusters)
            var sink = BlockSink()
            sink.write(block)
            blocks.append(try writer.append(sink.bytes))
        }
        tail.write(counts: firstLeaves)
        tail.write(leafCount, blocks)
        tail.write(hasSums ? nodes.sums(ofRoots: firstLeaves) : Column())
        tail.write(counts: numbers)
    }

    /// - Parameter tasks: the tasks of leaves that an excerpt is for.
    mutating func finish(excerptFor tasks: [Int] = []) throws(JobError) {
        tail.write(tasks)
        try writer.finish(tail: tail)
    }
}
