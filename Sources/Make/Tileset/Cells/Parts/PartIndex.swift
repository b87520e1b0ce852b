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
        try entries { stretches.meet($0) }.compactMap { $0.blocks(on: stretches) }
    }

    /// A part: the names of its attributes in the archive, and its blocks.
    struct Entry: Sendable {
        let part: String
        let layer: Int
        let names: [String]
        var blocks: [PartBlock]

        init(of part: String, _ names: [String], _ blocks: [PartBlock]) {
            self.part = part
            layer = PartFolder.layer(of: part) ?? 0
            (self.names, self.blocks) = (names, blocks)
        }

        /// The blocks that touch the stretches; nil if there are none.
        func blocks(on stretches: CurveStretches) -> WantedBlocks? {
            WantedBlocks(of: part, names, blocks) { stretches.meet($0.stretch) }
        }
    }

    /// The parts whose stretch of the curve is wanted; a part that counts twice is there twice.
    func entries(
        where isWanted: (ClosedRange<UInt64>) -> Bool = { _ in true }
    ) throws -> [Entry] {
        let parts = try parts(where: isWanted)
        try job.folder.fetch(Set(parts).sorted().map(files.blocks))
        return try parts.map(entry)
    }

    private func entry(of part: String) throws(JobError) -> Entry {
        let path = files.blocks(of: part)
        return try job.partBlocks.value(for: path) { () throws(JobError) in
            try job.read(path) { (source) throws(BlockSource.Damaged) in
                Entry(of: part, try [String](from: &source), try source.partBlocks())
            }
        }
    }

    private func parts(where isWanted: (ClosedRange<UInt64>) -> Bool) throws -> [String] {
        try job.read(files.parts) { (source) throws(BlockSource.Damaged) in
            let all = try [String](from: &source)
            let firsts: Column<UInt64> = try source.column()
            let lasts: Column<UInt64> = try source.column()
            guard firsts.count == all.count, lasts.count == all.count else {
                throw BlockSource.Damaged()
            }
            return all.indices.filter {
                firsts[$0] <= lasts[$0] && isWanted(firsts[$0]...lasts[$0])
            }.map { all[$0] }
        }
    }
}
