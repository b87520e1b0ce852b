import Geometry
import Points

extension CellFiles {
    /// What clustering a square took, and what came of it in numbers.
    struct Effort {
        /// How many points, or nodes of squares below, were looked at in the last attempt, those around the square included.
        var loaded: Int
        var attempts: Int
        /// Around what its neighbours may draw.
        var box = WorldBox.empty
        /// How many points and clusters its trees have.
        var nodes = 0
        var ground: CellGround
        /// A sum over what others may draw.
        var border: UInt64 = 0
        /// A sum over what is handed up, and how many nodes that are of each hierarchy.
        var content: UInt64 = 0
        var counts: [Int] = []
    }

    /// Where in a file of what is handed up that stands, as a rule.
    private static let effortBytes = 0..<1 << 12

    /// What squares took that have been clustered.
    func efforts(of numbers: some Collection<Int>) throws -> [Effort] {
        try job.folder.fetch(
            numbers.map { number in
                let path = job.files.frontier(of: job.name(of: number), job.passLimit(of: number))
                return RemoteFiles.Piece(path: path, bytes: Self.effortBytes)
            })
        return try numbers.map { try effort(of: $0, job.passLimit(of: $0)) }
    }

    /// What a square that has been clustered took.
    /// - Parameter files: those of the job, or of one before it.
    func effort(of number: Int, _ passes: Int, in files: JobFiles? = nil) throws -> Effort {
        let path = (files ?? job.files).frontier(of: job.name(of: number), passes)
        var (reader, _) = try job.read(path)
        var head = try reader.block()
        let effort = try reader.decode { () throws(BlockSource.Damaged) in try Effort(&head) }
        // No hierarchy hands up more nodes than there are points.
        guard effort.counts.count == job.units.count,
            effort.counts.allSatisfy((0...job.plan.leafCount).contains)
        else { throw JobError.damaged(path: reader.path) }
        return effort
    }
}

extension CellFiles.Effort {
    init(_ source: inout BlockSource) throws(BlockSource.Damaged) {
        loaded = try source.int()
        attempts = try source.int()
        box = try source.box()
        nodes = try source.int()
        ground = try source.ground()
        border = try source.unsigned()
        content = try source.unsigned()
        counts = try source.array { (source) throws(BlockSource.Damaged) in try source.int() }
    }
}

extension BlockSink {
    mutating func write(_ effort: CellFiles.Effort) {
        write(effort.loaded)
        write(effort.attempts)
        write(effort.box)
        write(effort.nodes)
        write(effort.ground)
        write(effort.border)
        write(effort.content)
        write(effort.counts) { $0.write($1) }
    }
}
