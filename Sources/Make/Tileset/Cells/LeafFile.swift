import ArchiveContract
import Basics
import Geometry
import Points

/// The leaves and clusters of a cell in the order that they have in the archive, in blocks of some
/// thousands of leaves each: what `LeafWalk` puts together.
struct LeafFile {
    private let job: CellJob

    private static let leavesInBlock = 4_096

    init(_ job: CellJob) { self.job = job }

    func write(_ layers: [CellNodes], of cell: Int) throws {
        let name = job.division.cells[cell].cellName
        var writer = try job.write(job.files.leaves(of: name))
        var head = BlockSink()
        head.write(CellWeights(layers))
        let ids = zip(layers, job.firstLeaves).map(SortedIDs.init)
        head.write(Column(ids.map { $0.ids.isEmpty ? 0 : $0.ids[0] }))
        try writer.append(head.bytes)
        for own in ids {
            var sink = BlockSink()
            sink.write(own.ids)
            sink.write(own.firstLeaves)
            try writer.append(sink.bytes)
        }
        for (layer, nodes) in layers.enumerated() {
            var nodes = nodes
            // Blocks of leaves tell where points lie.
            nodes.shares = SpreadShares()
            let leaves = Self.order(of: nodes.leafNumbers)
            let clusters = Self.clusterOrder(of: nodes)
            var (leaf, cluster) = (0, 0)
            while leaf < leaves.count {
                let end = min(leaf + Self.leavesInBlock, leaves.count)
                let last = nodes.leafNumbers[Int(leaves[end - 1])]
                let first = cluster
                while cluster < clusters.count,
                    nodes.nodes.firsts[Int(clusters[cluster])] <= last
                { cluster += 1 }
                var sink = BlockSink()
                sink.write(layer)
                sink.write(
                    nodes.selecting(
                        leaves: Array(leaves[leaf..<end]),
                        clusters: Array(clusters[first..<cluster])))
                try writer.append(sink.bytes)
                leaf = end
            }
        }
        try writer.finish()
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
}

/// The ids of a cell's clusters in one layer, ascending, and the first leaf of each in the archive.
private struct SortedIDs {
    private(set) var ids = Column<Int64>()
    private(set) var firstLeaves = Column<Int64>()
    private var next = 0

    init(_ nodes: CellNodes, firstLeaf: Int) {
        let order = (0..<nodes.ids.count).sorted { nodes.ids[$0] < nodes.ids[$1] }
        for cluster in order {
            ids.append(nodes.ids[cluster])
            firstLeaves.append(Int64(firstLeaf) + Int64(nodes.nodes.firsts[cluster]))
        }
    }

    init(_ source: inout BlockSource) throws(BlockSource.Damaged) {
        ids = try source.column()
        firstLeaves = try source.column()
        guard ids.count == firstLeaves.count else { throw BlockSource.Damaged() }
    }

    var least: Int64? { next < ids.count ? ids[next] : nil }

    mutating func take() -> (id: Int64, leaf: Int64) {
        defer { next += 1 }
        return (ids[next], firstLeaves[next])
    }
}

extension LeafFile {
    /// Goes through the ids of all clusters, ascending, with the first leaf of each.
    ///
    /// A cell's are looked into when its first may come, not before, so few are in memory at a time.
    func forEachID(_ top: [TopClusters], _ body: (Int64, Int64) throws -> Void) throws {
        let leasts = try job.division.cells.map(leastIDs)
        var last: Int64 = 0
        for (layer, firstLeaf) in job.firstLeaves.enumerated() {
            var heap = LeastFirst<Keyed<Int64, Int>>()
            var open = [-1: SortedIDs(top[layer].nodes, firstLeaf: firstLeaf)]
            if let least = open[-1]?.least { heap.insert(Keyed(least, -1)) }
            for (cell, ids) in leasts.enumerated() where ids[layer] > 0 {
                heap.insert(Keyed(ids[layer], cell))
            }
            while let cell = heap.removeLeast()?.item {
                var ids = try open.removeValue(forKey: cell) ?? sortedIDs(of: cell, layer)
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

    /// The least id of a cell in each layer; 0 where it has none.
    private func leastIDs(_ cell: TileID) throws -> Column<Int64> {
        var (reader, _) = try job.read(job.files.leaves(of: cell.cellName))
        var source = try reader.block()
        return try reader.decode { () throws(BlockSource.Damaged) in
            _ = try CellWeights(&source, layers: job.plan.layers.count)
            let ids: Column<Int64> = try source.column()
            guard ids.count == job.plan.layers.count else { throw BlockSource.Damaged() }
            return ids
        }
    }

    private func sortedIDs(of cell: Int, _ layer: Int) throws -> SortedIDs {
        let name = job.division.cells[cell].cellName
        var (reader, _) = try job.read(job.files.leaves(of: name))
        for _ in 0...layer { _ = try reader.block() }
        var source = try reader.block()
        return try reader.decode { () throws(BlockSource.Damaged) in try SortedIDs(&source) }
    }

    /// How many leaves a block of each layer may have: as it would be if those of all cells had been together.
    func blockLayouts() throws -> [LeafBlockLayout] {
        var weights = job.plan.layers.map { LeafWeights(leafCount: $0.points) }
        for cell in job.division.cells {
            try job.checkCancelled()
            var (reader, _) = try job.read(job.files.leaves(of: cell.cellName))
            var source = try reader.block()
            let own = try reader.decode { () throws(BlockSource.Damaged) in
                try CellWeights(&source, layers: weights.count)
            }
            guard own.add(to: &weights) else { throw JobError.damaged(path: reader.path) }
        }
        return weights.map(\.layout)
    }
}

/// Reads a leaf file stretch by stretch.
struct LeafFileReader: Sendable {
    private let job: CellJob
    private var reader: JobFileReader
    private let keys: StoredKeys
    /// The block that is being read; nil behind the last.
    private(set) var block: (layer: Int, nodes: CellNodes)?
    private(set) var leaf = 0
    private(set) var cluster = 0

    init(_ path: String, _ job: CellJob) throws {
        self.job = job
        (reader, keys) = try job.read(path)
        // What the blocks of leaves come behind.
        for _ in 0...job.plan.layers.count { _ = try reader.block() }
        try advance()
    }

    /// The number in the archive of the next leaf.
    var next: Int? {
        block.map { job.firstLeaves[$0.layer] + Int($0.nodes.leafNumbers[leaf]) }
    }

    private mutating func advance() throws {
        (leaf, cluster) = (0, 0)
        guard let bytes = try reader.next() else {
            block = nil
            return
        }
        var source = BlockSource(bytes)
        let block = try reader.decode { () throws(BlockSource.Damaged) in
            (layer: try source.int(), nodes: try source.cellNodes(keys))
        }
        guard job.plan.layers.indices.contains(block.layer), block.nodes.points.count > 0 else {
            throw JobError.damaged(path: reader.path)
        }
        self.block = block
    }

    /// Some leaves and clusters of a block.
    struct Stretch {
        let layer: Int
        let nodes: CellNodes
        let leaves: Range<Int>
        let clusters: Range<Int>
    }

    /// The leaves below a number that follow one another without a gap, and the clusters that begin with
    /// them; nil if there are no more leaves.
    mutating func take(below end: Int) throws -> Stretch? {
        guard let block else { return nil }
        let first = job.firstLeaves[block.layer]
        let numbers = block.nodes.leafNumbers
        var stop = leaf + 1
        while stop < numbers.count, numbers[stop] == numbers[stop - 1] + 1,
            first + Int(numbers[stop]) < end
        { stop += 1 }
        let firsts = block.nodes.nodes.firsts
        var last = cluster
        while last < firsts.count, firsts[last] <= numbers[stop - 1] { last += 1 }
        let stretch = Stretch(
            layer: block.layer, nodes: block.nodes, leaves: leaf..<stop, clusters: cluster..<last)
        (leaf, cluster) = (stop, last)
        if leaf == numbers.count { try advance() }
        return stretch
    }
}
