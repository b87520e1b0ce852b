import ArchiveContract
import Basics
import Geometry
import Points

/// The leaves and clusters of a cell in the order that they have in the archive, in blocks of some
/// thousands of leaves each that are of one task; and behind them their ids, and where all of that lies.
struct LeafFile {
    private let job: CellJob

    private static let leavesInBlock = 4_096

    init(_ job: CellJob) { self.job = job }

    /// Where a file has what.
    struct Contents {
        /// Of each layer where its ids lie, and the least of them; 0 where there is none.
        fileprivate(set) var ids: [(bytes: Range<Int>, least: Int64)] = []
        /// Where the leaves of each task lie that it has some of.
        fileprivate(set) var tasks: [(task: Int, bytes: Range<Int>)] = []

        /// Notes bytes that stand behind all before.
        fileprivate mutating func add(_ bytes: Range<Int>, of task: Int) {
            guard let last = tasks.last, last.task == task else {
                return tasks.append((task, bytes))
            }
            tasks[tasks.count - 1].bytes = last.bytes.lowerBound..<bytes.upperBound
        }
    }

    func write(_ layers: [CellNodes], of cell: Int) throws {
        let name = job.division.cells[cell].cellName
        try job.folder.fetchTails(of: [job.files.top])
        let tasks = try TopClusters(of: job).tasks
        var writer = try job.write(job.files.leaves(of: name))
        var contents = Contents()
        for (nodes, firstLeaf) in zip(layers, job.firstLeaves) {
            let ids = SortedIDs(nodes, firstLeaf: firstLeaf)
            let start = writer.size
            try writer.append(ids.bytes)
            contents.ids.append((start..<writer.size, ids.least ?? 0))
        }
        for (layer, nodes) in layers.enumerated() {
            try Self.forEachBlock(of: nodes, layer, tasks) { task, block in
                guard tasks.indices.contains(task) else {
                    throw JobError.damaged(path: job.files.top)
                }
                var sink = BlockSink()
                sink.write(block)
                let start = writer.size
                try writer.append(sink.bytes)
                contents.add(start..<writer.size, of: task)
            }
        }
        try writer.finish(tail: contents.sink)
    }

    /// Calls `body` with some leaves after others, all of one task, and the clusters that begin with them.
    private static func forEachBlock(
        of all: CellNodes, _ layer: Int, _ tasks: [LeafTask],
        _ body: (_ task: Int, CellNodes) throws -> Void
    ) throws {
        var nodes = all
        // Blocks of leaves tell where points lie.
        nodes.shares = SpreadShares()
        let leaves = order(of: nodes.leafNumbers)
        let clusters = clusterOrder(of: nodes)
        var (leaf, cluster) = (0, 0)
        while leaf < leaves.count {
            let task = tasks.index(ofLeaf: Int(nodes.leafNumbers[Int(leaves[leaf])]), layer: layer)
            let taskEnd = tasks.indices.contains(task) ? tasks[task].leaves.upperBound : .max
            let most = leaf..<min(leaf + leavesInBlock, leaves.count)
            let end = most.partitionPoint {
                Int(nodes.leafNumbers[Int(leaves[$0])]) >= taskEnd
            }
            let last = nodes.leafNumbers[Int(leaves[end - 1])]
            let first = cluster
            while cluster < clusters.count, nodes.nodes.firsts[Int(clusters[cluster])] <= last {
                cluster += 1
            }
            try body(
                task,
                nodes.selecting(
                    leaves: Array(leaves[leaf..<end]), clusters: Array(clusters[first..<cluster])))
            leaf = end
        }
    }

    private static func order(of numbers: Column<UInt32>) -> [UInt32] {
        var keys: [UInt64] = []
        keys.reserveCapacity(numbers.count)
        for row in 0..<numbers.count { keys.append(UInt64(numbers[row]) << 32 | UInt64(row)) }
        keys.sort()
        return keys.map { UInt32(truncatingIfNeeded: $0) }
    }

    /// By first leaf; of clusters that begin with one leaf the outermost comes first.
    private static func clusterOrder(of nodes: CellNodes) -> [UInt32] {
        let rowBits = UInt64(27)
        let count = nodes.nodes.firsts.count
        precondition(count < 1 << rowBits, "a cell has too many clusters")
        var keys: [UInt64] = []
        keys.reserveCapacity(count)
        for row in 0..<count {
            keys.append(UInt64(nodes.nodes.key(of: row).packed) << rowBits | UInt64(row))
        }
        keys.sort()
        return keys.map { UInt32(truncatingIfNeeded: $0 & (1 << rowBits - 1)) }
    }

    /// Where the file of a cell has what.
    func contents(of cell: TileID) throws -> Contents {
        var (reader, _) = try job.read(job.files.leaves(of: cell.cellName))
        var source = try reader.tail()
        let layers = job.plan.layers.count
        return try reader.decode { () throws(BlockSource.Damaged) in
            try Contents(&source, layers: layers)
        }
    }

    /// Goes through the ids of all clusters, ascending, with the first leaf of each.
    ///
    /// A cell's are looked into when its first may come, not before, so few are in memory at a time.
    func forEachID(
        _ top: TopClusters, _ plan: IndexPlan, _ body: (Int64, Int64) throws -> Void
    ) throws {
        try job.folder.fetch(
            zip(job.division.cells, plan.ids).flatMap { cell, layers -> [RemoteFiles.Piece] in
                let path = job.files.leaves(of: cell.cellName)
                return ([0..<JobFolder.usualHead] + layers.map(\.bytes))
                    .map { .init(path: path, bytes: $0) }
            })
        var last: Int64 = 0
        for layer in job.plan.layers.indices {
            var heap = LeastFirst<Keyed<Int64, Int>>()
            var open = [-1: try top.ids(of: layer)]
            if let least = open[-1]?.least { heap.insert(Keyed(least, -1)) }
            for (cell, ids) in plan.ids.enumerated() where ids[layer].least > 0 {
                heap.insert(Keyed(ids[layer].least, cell))
            }
            while let cell = heap.removeLeast()?.item {
                var ids =
                    try open.removeValue(forKey: cell)
                    ?? sortedIDs(
                        of: cell, at: plan.ids[cell][layer].bytes.lowerBound)
                while let least = ids.least, least <= heap.least?.key ?? .max {
                    guard least > last else {
                        throw JobError.doesNotAddUp("two clusters have the id \(least)")
                    }
                    last = least
                    let (id, leaf) = ids.take()
                    try body(id, leaf)
                }
                guard let least = ids.least else { continue }
                open[cell] = ids
                heap.insert(Keyed(least, cell))
            }
        }
    }

    private func sortedIDs(of cell: Int, at offset: Int) throws -> SortedIDs {
        let name = job.division.cells[cell].cellName
        return try SortedIDs(in: job.read(job.files.leaves(of: name)).reader, at: offset)
    }
}

extension LeafFile.Contents {
    fileprivate var sink: BlockSink {
        var sink = BlockSink()
        sink.write(ids) { sink, ids in
            sink.write(ids.bytes)
            sink.write(Int(ids.least))
        }
        sink.write(tasks) { sink, task in
            sink.write(varint: task.task)
            sink.write(task.bytes)
        }
        return sink
    }

    fileprivate init(_ source: inout BlockSource, layers: Int) throws(BlockSource.Damaged) {
        ids = try source.array { (source) throws(BlockSource.Damaged) in
            (bytes: try source.range(), least: Int64(try source.int()))
        }
        tasks = try source.array { (source) throws(BlockSource.Damaged) in
            (task: try source.varint(), bytes: try source.range())
        }
        guard ids.count == layers else { throw BlockSource.Damaged() }
    }
}
