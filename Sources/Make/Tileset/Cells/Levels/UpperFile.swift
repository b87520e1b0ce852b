import ArchiveContract
import Points

/// The file with the tree of a square above the cells: for each hierarchy, the nodes that its tiles show and the clusters
/// formed in it. Leaves count from 0, node after node that is handed up.
struct UpperFile: Sendable {
    struct Unit: Sendable {
        /// The first leaf of each node that was handed up.
        let firstLeaves: Column<Int>
        let leafCount: Int
        /// The clusters with more leaves than any block may have.
        let large: [LargeNode]
        let drawn: Range<Int>
        let sums: Range<Int>
        let clusters: Range<Int>

        /// The number, among the nodes handed up, of the one that a leaf is below.
        func root(ofLeaf leaf: Int) -> Int {
            (0..<firstLeaves.count).partitionPoint { firstLeaves[$0] > leaf } - 1
        }
    }

    let path: String
    let units: [Unit]
    private let reader: JobFileReader
    private let keys: StoredKeys

    init(of number: Int, _ job: CellJob) throws {
        path = job.files.tree(of: job.name(of: number), job.passLimit(of: number))
        (reader, keys) = try job.read(path)
        units = try reader.decodeTail { (source) throws(BlockSource.Damaged) in
            try source.array { (source) throws(BlockSource.Damaged) in try source.upperUnit() }
        }
        guard units.count == job.units.count else { throw JobError.damaged(path: path) }
    }

    /// Some stretches of all these squares' files.
    static func pieces(
        of numbers: some Sequence<Int>, _ job: CellJob, _ stretches: (Unit) -> [Range<Int>]
    ) throws -> [RemoteFiles.Piece] {
        try numbers.flatMap { number in
            let file = try UpperFile(of: number, job)
            return file.units.flatMap(stretches).map { bytes in
                RemoteFiles.Piece(path: file.path, bytes: bytes)
            }
        }
    }

    /// The nodes that the tiles of the square show.
    func drawn(of unit: Int) throws(JobError) -> CellNodes {
        try reader.cellNodes(at: units[unit].drawn.lowerBound, keys)
    }

    /// The first leaves of the clusters formed in the square, and a sum over each where it is known.
    func sums(of unit: Int) throws(JobError) -> (firsts: Column<Int>, sums: Column<UInt64>) {
        let leafCount = units[unit].leafCount
        return try reader.decodeBlock(at: units[unit].sums.lowerBound) {
            (source) throws(BlockSource.Damaged) in
            let (firsts, sums): (Column<Int>, Column<UInt64>) = (
                try source.counts(), try source.column()
            )
            guard [0, firsts.count].contains(sums.count),
                (0..<firsts.count).allSatisfy({ firsts[$0] < leafCount })
            else { throw BlockSource.Damaged() }
            return (firsts, sums)
        }
    }

    /// The clusters that formed in the square.
    func clusters(of unit: Int) throws(JobError) -> CellNodes {
        try reader.cellNodes(at: units[unit].clusters.lowerBound, keys)
    }
}

/// A cluster that a task of leaves may begin with.
struct LargeNode: Equatable, Sendable {
    var first: Int
    let leaves: Int
    let zoom: UInt8

    /// Whether it has more leaves than a block may have.
    var isLarge: Bool { leaves > LeafBlockLayout.mostLeaves }
}

extension LargeNode: BlockRecord {
    static var layout: BlockLayout<Self> { .init(Self.init, \.first, \.leaves, \.zoom) }
}

extension BlockSource {
    fileprivate mutating func upperUnit() throws(Damaged) -> UpperFile.Unit {
        let firstLeaves = try counts()
        let (leafCount, large): (Int, [LargeNode]) = try values()
        let (drawn, sums, clusters): (Range<Int>, Range<Int>, Range<Int>) = try values()
        var last = -1
        for root in 0..<firstLeaves.count {
            guard firstLeaves[root] > last else { throw Damaged() }
            last = firstLeaves[root]
        }
        guard (0..<BlockSource.countLimit).contains(leafCount), last < leafCount,
            firstLeaves.isEmpty ? leafCount == 0 : firstLeaves[0] == 0,
            large.allSatisfy({
                (0..<leafCount).contains($0.first) && (0...leafCount - $0.first).contains($0.leaves)
            })
        else { throw Damaged() }
        return UpperFile.Unit(
            firstLeaves: firstLeaves, leafCount: leafCount, large: large, drawn: drawn, sums: sums,
            clusters: clusters)
    }
}
