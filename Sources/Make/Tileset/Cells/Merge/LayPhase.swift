import ArchiveContract
import Compression
import Geometry
import Points
import TileArchive

/// Where each byte of a PMTiles archive and of the file of its clusters comes from.
struct LaidOut: Sendable {
    /// A file of the job that has some of them.
    enum Source: Hashable, Sendable {
        /// The file of the layout itself.
        case own
        case part(Int)
        case index(IndexUnit)
    }

    /// Consecutive bytes of an archive's file.
    struct Piece: Sendable {
        let source: Source
        let stream: JobStream
        /// Where they begin in the archive's file.
        let offset: Int

        var bytes: Range<Int> { offset..<offset + stream.count }
    }

    /// The pieces of each file, one after another.
    fileprivate(set) var files: [[Piece]] = []
    fileprivate(set) var bounds: LonLatBox?
    fileprivate(set) var center: LonLat?

    /// The size of each file in bytes.
    var sizes: [Int] { files.map { $0.last?.bytes.upperBound ?? 0 } }
}

extension LaidOut {
    /// The layout of a job; nil if there is none yet.
    init?(of job: CellJob) throws {
        let path = job.files.laidOut
        guard job.files.has(path) else { return nil }
        try job.folder.fetchTails(of: [path])
        self = try job.read(path).reader.tail()
    }
}

/// Lays out a PMTiles archive: makes all but tiles and blocks, and finds the place of each byte.
struct LayPhase {
    let job: CellJob
    let index: IndexPhase

    /// The layout, which is made if it does not exist.
    /// - Parameters:
    ///   - metadata: may change the archive's metadata.
    ///   - progress: is called with the number of points whose blocks are put together.
    func run(
        metadata amended: (ArchiveMetadata) -> ArchiveMetadata = { $0 }, progress: (Int) -> Void
    ) throws -> LaidOut {
        if let laid = try LaidOut(of: job) { return laid }
        let path = job.files.laidOut
        let (count, most) = (index.plan.tileCount, LeafDirectory.mostEntries)
        guard count <= most else {
            let reason = "PMTiles have at most \(most) tiles here, and these are \(count)"
            throw JobError.cannotWrite(
                path: path, reason: reason + "; build with a lower --max-zoom, or MBTiles")
        }
        let writer = PayloadStream(try job.write(path))
        let (ledger, files) = try index.finish(to: writer, blocks: nil, progress: progress)
        let metadata = amended(index.metadata(ledger))
        try metadata.checkLength()
        var laid = LaidOut()
        (laid.bounds, laid.center) = (metadata.bounds, metadata.center)
        let payloads = try writer.endStream()
        laid.files.append(try tiles(metadata, writer))
        if ledger.blocks != nil {
            laid.files.append(try clusters(metadata, files, payloads, writer))
        }
        var tail = BlockSink()
        tail.write(laid)
        try writer.finish(tail: tail)
        return laid
    }

    private func tiles(
        _ metadata: ArchiveMetadata, _ writer: PayloadStream
    ) throws -> [LaidOut.Piece] {
        let plan = index.plan
        let units = (0..<plan.directoryFiles).map { IndexUnit.directories($0) }
        try job.folder.fetchTails(of: units.map(job.files.index))
        let directories = try units.indices.map { try DirectoriesFile($0, job) }
        var compressor = GzipCompressor()
        var (root, leaves): ([UInt8], [UInt8]) = ([], [])
        if units.isEmpty {
            (root, leaves) = try directory(with: &compressor)
        } else {
            root = LeafDirectory.root(directories.flatMap(\.leaves), with: &compressor)
        }
        let leafBytes = leaves.count + directories.reduce(0) { $0 + $1.stream.count }
        let zooms = plan.sections.map(\.zoom.zoom)
        let frame = PMTilesFrame(
            of: metadata,
            zooms: zooms.min().flatMap { least in zooms.max().map { least...$0 } },
            count: plan.tileCount, dataBytes: plan.tileBytes, root: root, leafBytes: leafBytes)
        var pieces = Pieces()
        pieces.add(.own, try writer.stream(of: frame.front))
        for section in plan.sections { pieces.add(.part(section.part), section.zoom.stream) }
        for (unit, file) in zip(units, directories) { pieces.add(.index(unit), file.stream) }
        pieces.add(.own, try writer.stream(of: leaves + frame.back))
        return pieces.all
    }

    /// The root directory, if it has room for the tiles; otherwise a root with one leaf directory.
    private func directory(
        with compressor: inout GzipCompressor
    ) throws -> (root: [UInt8], leaves: [UInt8]) {
        var entries: [PMTilesDirectory.Entry] = []
        try index.plan.forEachEntry(of: 0..<index.plan.tileCount, job) { entries.append($0) }
        return LeafDirectory.root(of: entries, with: &compressor)
    }

    private func clusters(
        _ metadata: ArchiveMetadata, _ files: [LeafBlocksFile],
        _ others: (stream: JobStream, lengths: [Int]), _ writer: PayloadStream
    ) throws -> [LaidOut.Piece] {
        let lengths = files.flatMap { $0.blocks.map(\.bytes) } + others.lengths
        let (frame, leaves) = PMTilesFrame.ofClusters(metadata, payloads: lengths)
        var pieces = Pieces()
        pieces.add(.own, try writer.stream(of: frame.front))
        for (number, file) in files.enumerated() {
            pieces.add(.index(.leaves(number)), file.stream)
        }
        pieces.add(.own, others.stream)
        pieces.add(.own, try writer.stream(of: leaves + frame.back))
        return pieces.all
    }
}

/// Pieces of a file, one after another.
private struct Pieces {
    private(set) var all: [LaidOut.Piece] = []

    mutating func add(_ source: LaidOut.Source, _ stream: JobStream) {
        guard stream.count > 0 else { return }
        let offset = all.last?.bytes.upperBound ?? 0
        all.append(.init(source: source, stream: stream, offset: offset))
    }
}

/// Writes payloads into a file of the job, followed by other bytes.
private final class PayloadStream: PayloadSink {
    private var writer: JobFileWriter
    private var stream: JobStreamWriter
    private var lengths: [Int] = []

    init(_ writer: consuming JobFileWriter) {
        stream = JobStreamWriter(in: writer)
        self.writer = writer
    }

    func write(payload: Span<UInt8>, sum: String) throws(ArchiveError) {
        lengths.append(payload.count)
        do throws(JobError) {
            try stream.append(payload, to: &writer)
        } catch {
            throw .cannotWrite(path: "the job's folder", reason: "\(error)")
        }
    }

    func endStream() throws -> (stream: JobStream, lengths: [Int]) {
        (try stream.finish(&writer), lengths)
    }

    /// Writes bytes as a stream of their own.
    func stream(of bytes: [UInt8]) throws -> JobStream {
        var own = JobStreamWriter(in: writer)
        try own.append(bytes.span, to: &writer)
        return try own.finish(&writer)
    }

    func finish(tail: BlockSink) throws { try writer.finish(tail: tail) }
}

extension LaidOut: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(Self.init, \.files, \.bounds, \.center)
    }
}

extension LaidOut.Piece: BlockRecord {
    static var layout: BlockLayout<Self> { .init(Self.init, \.source, \.stream, \.offset) }
}

extension LaidOut.Source: BlockValue {
    func write(to sink: inout BlockSink) {
        switch self {
        case .own: sink.write(byte: 0)
        case .part(let part): sink.write(UInt8(1), part)
        case .index(let unit): sink.write(UInt8(2), unit.name)
        }
    }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        switch try source.byte() {
        case 0: self = .own
        case 1: self = .part(try source.int())
        case 2:
            guard let unit = IndexUnit(name: try source.text()) else { throw BlockSource.Damaged() }
            self = .index(unit)
        default: throw BlockSource.Damaged()
        }
    }
}

extension LonLatBox: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(Self.init(west:south:east:north:), \.west, \.south, \.east, \.north)
    }
}

extension LonLat: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(Self.init(longitude:latitude:), \.longitude, \.latitude)
    }
}
