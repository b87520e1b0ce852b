import Points

/// The index by which cells find points in parts: one file gives the stretch of the curve of each part, and a
/// file for each part gives its blocks. So a cell reads only the files of parts on its ground.
struct PartIndex {
    private let job: CellJob
    private let files: JobFiles

    /// - Parameter files: those of a job of the same kind; nil means this job's own.
    init(_ job: CellJob, of files: JobFiles? = nil) {
        self.job = job
        self.files = files ?? job.files
    }

    /// - Parameter names: the names of each part's attributes in the archive.
    func write(_ parts: [String], _ heads: [PartHead], _ names: [[String]]) throws {
        try files.makeFolder("points")
        var written: Set<String> = []
        for (index, part) in parts.enumerated() where written.insert(part).inserted {
            try job.write(files.blocks(of: part)) { sink in
                sink.write(names[index])
                sink.write(heads[index].blocks)
            }
        }
        // A part without points has a stretch that ends before it begins.
        try job.write(files.parts) { sink in
            sink.write(parts)
            sink.write(Column(heads.map { $0.stretch?.lowerBound ?? 1 }))
            sink.write(Column(heads.map { $0.stretch?.upperBound ?? 0 }))
        }
    }

    /// The blocks of all parts that touch the stretches.
    func blocks(on stretches: CurveStretches) throws -> [WantedBlocks] {
        let parts = try parts(on: stretches)
        try job.folder.fetch(Set(parts).sorted().map(files.blocks))
        return try parts.compactMap { part in
            let all = try blocks(of: part)
            let wanted = WantedBlocks(of: part, all.names, all.blocks) {
                stretches.meet($0.stretch)
            }
            return wanted.blocks.isEmpty ? nil : wanted
        }
    }

    /// The entries of a part: the names of its attributes in the archive, and its blocks.
    struct Blocks: Sendable {
        let names: [String]
        let blocks: [PartBlock]
    }

    private func blocks(of part: String) throws(JobError) -> Blocks {
        let path = files.blocks(of: part)
        return try job.partBlocks.value(for: path) { () throws(JobError) in
            try job.read(path) { (source) throws(BlockSource.Damaged) in
                Blocks(names: try source.texts(), blocks: try source.partBlocks())
            }
        }
    }

    /// The parts that touch the stretches; a part that counts twice is there twice.
    private func parts(on stretches: CurveStretches) throws -> [String] {
        try job.read(files.parts) { (source) throws(BlockSource.Damaged) in
            let all = try source.texts()
            let firsts: Column<UInt64> = try source.column()
            let lasts: Column<UInt64> = try source.column()
            guard firsts.count == all.count, lasts.count == all.count else {
                throw BlockSource.Damaged()
            }
            return all.indices.filter {
                firsts[$0] <= lasts[$0] && stretches.meet(firsts[$0]...lasts[$0])
            }.map { all[$0] }
        }
    }
}
