import Points

/// The ids of some clusters of a layer, ascending, and the first leaf of each in the archive.
struct SortedIDs {
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

    /// Those of a block of a file.
    init(in reader: JobFileReader, at offset: Int) throws {
        var reader = reader
        reader.seek(to: offset)
        var source = try reader.block()
        (ids, firstLeaves) = try reader.decode { () throws(BlockSource.Damaged) in
            (try source.column(), try source.column())
        }
        guard ids.count == firstLeaves.count else { throw JobError.damaged(path: reader.path) }
    }

    var bytes: [UInt8] {
        var sink = BlockSink()
        sink.write(ids)
        sink.write(firstLeaves)
        return sink.bytes
    }

    var least: Int64? { next < ids.count ? ids[next] : nil }

    mutating func take() -> (id: Int64, leaf: Int64) {
        defer { next += 1 }
        return (ids[next], firstLeaves[next])
    }
}
