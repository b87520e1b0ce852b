import Points

/// Reads those leaves of a cell that are of one task, stretch by stretch.
struct LeafFileReader: Sendable {
    private var reader: JobFileReader
    private let keys: StoredKeys
    /// Where the task's blocks end.
    private let end: Int
    /// The block that is being read; nil behind the last.
    private(set) var block: CellNodes?
    private(set) var leaf = 0
    private(set) var cluster = 0

    /// - Parameter bytes: where the leaves of the task lie.
    init(_ path: String, _ bytes: Range<Int>, _ job: CellJob) throws {
        (reader, keys) = try job.read(path)
        reader.seek(to: bytes.lowerBound)
        end = bytes.upperBound
        try advance()
    }

    /// The number within the layer of the next leaf.
    var next: Int? { block.map { Int($0.leafNumbers[leaf]) } }

    private mutating func advance() throws {
        (leaf, cluster) = (0, 0)
        guard reader.position < end, let bytes = try reader.next() else {
            block = nil
            return
        }
        var source = BlockSource(bytes)
        let block = try reader.decode { () throws(BlockSource.Damaged) in
            try source.cellNodes(keys)
        }
        guard block.points.count > 0 else { throw JobError.damaged(path: reader.path) }
        self.block = block
    }

    /// Some leaves and clusters of a block.
    struct Stretch {
        let nodes: CellNodes
        let leaves: Range<Int>
        let clusters: Range<Int>
    }

    /// The leaves below a number that follow one another without a gap, and the clusters that begin with
    /// them; nil if there are no more leaves.
    mutating func take(below end: Int) throws -> Stretch? {
        guard let block else { return nil }
        let numbers = block.leafNumbers
        var stop = leaf + 1
        while stop < numbers.count, numbers[stop] == numbers[stop - 1] + 1, Int(numbers[stop]) < end
        { stop += 1 }
        let firsts = block.nodes.firsts
        var last = cluster
        while last < firsts.count, firsts[last] <= numbers[stop - 1] { last += 1 }
        let stretch = Stretch(nodes: block, leaves: leaf..<stop, clusters: cluster..<last)
        (leaf, cluster) = (stop, last)
        if leaf == numbers.count { try advance() }
        return stretch
    }
}
