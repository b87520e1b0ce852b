import Geometry

extension CellFiles {
    /// The effort of clustering a square, and its result in numbers.
    struct Effort {
        /// The number of points, or nodes of squares below, that the last attempt looked at, including those around.
        var loaded: Int
        var attempts: Int
        /// The box around all that its neighbours may draw.
        var box = WorldBox.empty
        /// The number of points and clusters in its trees.
        var nodes = 0
        var ground: CellGround
        /// A sum over all that other cells may draw.
        var border: UInt64 = 0
        /// A sum over the frontier, and its number of nodes for each hierarchy.
        var content: UInt64 = 0
        var counts: [Int] = []
    }

    /// The bytes of a frontier's file that contain this, as a rule.
    private static let effortBytes = 0..<1 << 12

    /// The efforts of squares that have been clustered.
    func efforts(of numbers: some Collection<Int>) throws -> [Effort] {
        try job.folder.fetch(
            numbers.map { number in
                let path = job.files.frontier(of: job.name(of: number), job.passLimit(of: number))
                return RemoteFiles.Piece(path: path, bytes: Self.effortBytes)
            })
        return try numbers.map { try effort(of: $0, job.passLimit(of: $0)) }
    }

    /// The effort of a square that has been clustered.
    /// - Parameter files: those of this job, or of the job before it.
    func effort(of number: Int, _ passes: Int, in files: JobFiles? = nil) throws -> Effort {
        let path = (files ?? job.files).frontier(of: job.name(of: number), passes)
        return try job.efforts.value(for: path) {
            let effort: Effort = try job.values(of: path)
            // A frontier of one hierarchy has no more nodes than there are points.
            guard effort.counts.count == job.units.count,
                effort.counts.allSatisfy((0...job.plan.leafCount).contains)
            else { throw JobError.damaged(path: path) }
            return effort
        }
    }
}

extension CellFiles.Effort: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(
            Self.init, \.loaded, \.attempts, \.box, \.nodes, \.ground, \.border, \.content, \.counts
        )
    }
}
