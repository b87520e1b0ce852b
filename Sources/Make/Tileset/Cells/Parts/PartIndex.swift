import Points

/// Where cells look for points that stay in parts: a small file says along which stretch of the curve each part
/// lies, and a file for each part says which blocks it has. So a cell reads of the parts on its ground alone.
struct PartIndex {
    private let job: CellJob
    private let files: JobFiles

    /// - Parameter files: those of a job of the same kind; nil is of the job itself.
    init(_ job: CellJob, of files: JobFiles? = nil) {
        self.job = job
        self.files = files ?? job.files
    }

    /// - Parameter names: those of each part's attributes, as the archive has them.
    func write(_ parts: [String], _ heads: [PartHead], _ names: [[String]]) throws {
        try files.makeFolder("points")
        var written: Set<String> = []
        for (index, part) in parts.enumerated() where written.insert(part).inserted {
            var sink = BlockSink()
            sink.write(names[index])
            sink.write(heads[index].blocks)
            try write(sink, to: files.blocks(of: part))
        }
        // One without points lies nowhere: its stretch ends before it begins.
        var sink = BlockSink()
        sink.write(parts)
        sink.write(Column(heads.map { $0.stretch?.lowerBound ?? 1 }))
        sink.write(Column(heads.map { $0.stretch?.upperBound ?? 0 }))
        try write(sink, to: files.parts)
    }

    private func write(_ sink: BlockSink, to path: String) throws(JobError) {
        var writer = try job.write(path)
        try writer.append(sink.bytes)
        try writer.finish()
    }

    /// The blocks of all parts that some stretches meet.
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

    /// What is known of a part: its attributes as the archive has them, and its blocks.
    struct Blocks: Sendable {
        let names: [String]
        let blocks: [PartBlock]
    }

    private func blocks(of part: String) throws(JobError) -> Blocks {
        let path = files.blocks(of: part)
        return try job.partBlocks.value(for: path) { () throws(JobError) in
            try decode(path) { (source) throws(BlockSource.Damaged) in
                Blocks(names: try source.texts(), blocks: try source.partBlocks())
            }
        }
    }

    /// The parts that some stretches meet; one that counts twice comes twice.
    private func parts(on stretches: CurveStretches) throws -> [String] {
        try decode(files.parts) { (source) throws(BlockSource.Damaged) in
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

    private func decode<Value>(
        _ path: String, _ body: (inout BlockSource) throws(BlockSource.Damaged) -> Value
    ) throws(JobError) -> Value {
        var (reader, _) = try job.read(path)
        var source = try reader.block()
        return try reader.decode { () throws(BlockSource.Damaged) in try body(&source) }
    }
}
