import Points

extension CellFiles {
    /// What clustering a cell took.
    struct Effort {
        /// How many points were looked at in the last attempt, those around the cell included.
        let loaded: Int
        let attempts: Int
        /// How many points and clusters its trees have.
        let nodes: Int
        let ground: CellGround
        /// A sum over what others may draw.
        let border: UInt64

        init(_ source: inout BlockSource) throws(BlockSource.Damaged) {
            loaded = try source.int()
            attempts = try source.int()
            var rest = source
            _ = try rest.box()
            nodes = try rest.int()
            ground = try rest.ground()
            border = try rest.unsigned()
        }
    }

    /// Where in a file of what is handed up that stands, as a rule.
    static let effortBytes = 0..<1 << 12

    /// What a cell that has been clustered took.
    /// - Parameter files: those of the job, or of one before it.
    func effort(of cell: Int, _ passes: Int, in files: JobFiles? = nil) throws -> Effort {
        let path = (files ?? job.files).handedUp(by: job.division.cells[cell].cellName, passes)
        var (reader, _) = try job.read(path)
        var head = try reader.block()
        return try reader.decode { () throws(BlockSource.Damaged) in try Effort(&head) }
    }
}
