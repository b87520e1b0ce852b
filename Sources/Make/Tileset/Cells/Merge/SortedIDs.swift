import Points

/// The ids of some clusters of a layer, ascending, and where the leaves of each begin: so many behind those of a node that
/// was handed up. Where these begin the top says.
struct SortedIDs: Sendable {
    fileprivate(set) var ids = Column<Int64>()
    /// Which of the nodes of the layer.
    fileprivate(set) var roots = Column<UInt32>()
    fileprivate(set) var offsets = Column<UInt32>()
    private var next = 0

    init() {}

    /// Those of a block of a file.
    init(in reader: JobFileReader, at offset: Int) throws {
        var reader = reader
        reader.seek(to: offset)
        var source = try reader.block()
        (ids, roots, offsets) = try reader.decode { () throws(BlockSource.Damaged) in
            (try source.column(), try source.column(), try source.column())
        }
        guard ids.count == roots.count, ids.count == offsets.count else {
            throw JobError.damaged(path: reader.path)
        }
    }

    var bytes: [UInt8] {
        var sink = BlockSink()
        sink.write(ids)
        sink.write(roots)
        sink.write(offsets)
        return sink.bytes
    }

    var least: Int64? { next < ids.count ? ids[next] : nil }

    mutating func take() -> (id: Int64, root: Int, offset: Int) {
        defer { next += 1 }
        return (ids[next], Int(roots[next]), Int(offsets[next]))
    }
}

/// Gathers the clusters of a layer for their ids to be sorted.
struct IDSorting {
    private var all: [(id: Int64, root: UInt32, offset: UInt32)] = []
    private var rootCount = 0

    /// Adds those of a hierarchy, by their leaves.
    /// - Parameter firstLeaves: those of the nodes that are handed up. They come behind those before.
    mutating func add(_ nodes: CellNodes, _ firstLeaves: Column<UInt32>) {
        var root = 0
        for cluster in 0..<nodes.ids.count {
            let leaf = nodes.nodes.firsts[cluster]
            while root + 1 < firstLeaves.count, firstLeaves[root + 1] <= leaf { root += 1 }
            all.append((nodes.ids[cluster], UInt32(rootCount + root), leaf - firstLeaves[root]))
        }
        rootCount += firstLeaves.count
    }

    /// Adds clusters whose leaves have their numbers in the layer, which count from one node.
    mutating func add(_ nodes: CellNodes) {
        for cluster in 0..<nodes.ids.count {
            all.append((nodes.ids[cluster], 0, nodes.nodes.firsts[cluster]))
        }
    }

    var sorted: SortedIDs {
        var sorted = SortedIDs()
        for (id, root, offset) in all.sorted(by: { $0.id < $1.id }) {
            sorted.ids.append(id)
            sorted.roots.append(root)
            sorted.offsets.append(offset)
        }
        return sorted
    }
}
