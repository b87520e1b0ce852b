import ArchiveContract
import Platform
import Points
import TileArchive

/// The blocks of the leaves of a task in the archive's format, one after another, and the facts about them.
struct LeafBlocksFile {
    /// The facts about a block.
    struct Block {
        let bytes: Int
        let leaves: Int64
        let hull: [GridPoint]
        /// The MD5 of its payload.
        let sum: String
    }

    let stream: JobStream
    let blocks: [Block]
    /// The large clusters, by blocks of the task: first those that begin before it, then those that begin in it.
    let large: [LargeCluster]
    /// The indexes of those that continue after the task, the outermost first.
    let unfinished: [Int]
    let known: LeafLedger.Part
    /// A sum over all that the file depends on, where it is known.
    let inputs: UInt64?
    let reader: JobFileReader

    /// The files of an earlier job, by the sum of what each depends on.
    static func all(of former: FormerJob, _ job: CellJob) -> [UInt64: String] {
        let folder = former.files.folder("index")
        var files: [UInt64: String] = [:]
        for name in (try? Directory(folder).names()) ?? [] {
            guard case .leaves(let number)? = IndexUnit(name: name) else { continue }
            let path = former.files.index(.leaves(number))
            let inputs: UInt64? = try? job.values(of: path)
            if let inputs { files[inputs] = path }
        }
        return files
    }

    /// - Parameter facts: the facts about the layer before these leaves.
    init(_ number: Int, _ task: LeafTask, _ facts: LayerFacts, _ job: CellJob) throws {
        let (opened, keys) = try job.read(job.files.index(.leaves(number)))
        var reader = opened
        self.reader = opened
        var front = try reader.block()
        inputs = try? front.unsigned()
        (stream, blocks, large, unfinished, known) = try reader.decodeTail {
            (source) throws(BlockSource.Damaged) in
            let (stream, blocks): (JobStream, [Block]) = try source.values()
            let (large, unfinished): ([LargeCluster], [Int]) = try source.values()
            var facts = facts
            try facts.include(&source, keys)
            let known = LeafLedger.Part(
                index: task.layer, facts: facts,
                leaves: try LayerStatistics(name: facts.name, &source, keys),
                clusters: try LayerStatistics(name: facts.name, &source, keys))
            return (stream, blocks, large, unfinished, known)
        }
        guard stream.count == blocks.reduce(0, { $0 + $1.bytes }),
            large.count >= task.open.count, unfinished.allSatisfy(large.indices.contains),
            !job.recipe.tiles.leaves
                || large.allSatisfy({ $0.blocks.upperBound <= blocks.count })
        else { throw JobError.damaged(path: reader.path) }
    }
}

extension LeafBlocksFile {
    /// Calls `body` with the payload of each wanted block.
    func forEachPayload(
        of wanted: (Int) -> Bool = { _ in true }, _ body: (Int, Span<UInt8>) throws -> Void
    ) throws {
        var window = StreamWindow(stream, in: reader)
        var offset = 0
        for (number, block) in blocks.enumerated() {
            let range = offset..<offset + block.bytes
            offset = range.upperBound
            guard wanted(number) else { continue }
            let bytes = try window.bytes(range)
            try body(number, bytes.span)
        }
    }
}

/// Writes the file of a task's blocks.
struct LeafBlocksWriter: ~Copyable {
    private var writer: JobFileWriter
    private var stream: JobStreamWriter
    private var blocks: [LeafBlocksFile.Block] = []
    private var known: LeafLedger.Part

    /// - Parameters:
    ///   - facts: the facts about the layer before these leaves.
    ///   - inputs: a sum over all that the file depends on, where it is known.
    init(
        _ number: Int, _ task: LeafTask, _ facts: LayerFacts, _ job: CellJob, inputs: UInt64?
    ) throws {
        var writer = try job.write(job.files.index(.leaves(number)))
        var front = BlockSink()
        if let inputs { front.write(inputs) }
        try writer.append(front.bytes)
        stream = JobStreamWriter(in: writer)
        self.writer = writer
        let none = LayerStatistics(name: facts.name)
        known = LeafLedger.Part(index: task.layer, facts: facts, leaves: none, clusters: none)
    }

    mutating func append(_ part: LeafLedger.Part, _ more: [EncodedBlock]) throws {
        known.merge(part)
        for block in more {
            try stream.append(block.bytes.span, to: &writer)
            blocks.append(
                .init(
                    bytes: block.bytes.count, leaves: Int64(block.index.leaves.count),
                    hull: block.index.hull, sum: block.sum))
        }
    }

    mutating func finish(_ large: [LargeCluster], unfinished: [Int]) throws {
        var tail = BlockSink()
        tail.write(try stream.finish(&writer), blocks, large, unfinished)
        known.facts.write(to: &tail)
        known.leaves.write(to: &tail)
        known.clusters.write(to: &tail)
        try writer.finish(tail: tail)
    }
}

extension LeafBlocksFile.Block: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(Self.init, \.bytes, \.leaves, \.hull, \.sum) { $0.bytes >= 0 && $0.leaves >= 0 }
    }
}

// There are many of these, so they do without a layout.
extension GridPoint: BlockValue {
    func write(to sink: inout BlockSink) { sink.write(x, y) }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        self.init(x: try Int32(from: &source), y: try Int32(from: &source))
    }
}

extension LargeCluster: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(
            Self.init(blocks:zoom:position:shift:), \.blocks, \.zoom, \.position, \.shift)
    }
}
