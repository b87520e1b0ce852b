import Compression
import Geometry
import Points
import TileArchive

/// Some leaf directories of a PMTiles archive in its own format, one after another, and the start of each.
struct DirectoriesFile {
    let stream: JobStream
    let leaves: [(firstID: UInt64, count: Int)]
    let reader: JobFileReader

    /// The number of leaf directories in a file.
    static let leavesInFile = 64

    init(_ number: Int, _ job: CellJob) throws {
        reader = try job.read(job.files.index(.directories(number))).reader
        (stream, leaves) = try reader.decodeTail { (source) throws(BlockSource.Damaged) in
            (
                try JobStream(from: &source),
                try source.array { (source) throws(BlockSource.Damaged) in
                    (firstID: try source.unsigned(), count: try source.int())
                }
            )
        }
    }

    /// Writes a file of directories.
    static func write(_ number: Int, _ plan: IndexPlan, _ job: CellJob) throws {
        let (size, entries) = (plan.entriesInLeaf, plan.entries(ofFile: number))
        var writer = try job.write(job.files.index(.directories(number)))
        var stream = JobStreamWriter(in: writer)
        var leaves: [(firstID: UInt64, count: Int)] = []
        var waiting: [PMTilesDirectory.Entry] = []
        var compressor = GzipCompressor()
        func pack() throws {
            let leaf = LeafDirectory(waiting, with: &compressor)
            leaves.append((leaf.firstID, leaf.bytes.count))
            try stream.append(leaf.bytes.span, to: &writer)
            waiting = []
        }
        try plan.forEachEntry(of: entries, job) { entry in
            waiting.append(entry)
            if waiting.count == size { try pack() }
        }
        if !waiting.isEmpty { try pack() }
        var tail = BlockSink()
        tail.write(try stream.finish(&writer))
        tail.write(leaves) { sink, leaf in
            sink.write(leaf.firstID)
            sink.write(leaf.count)
        }
        try writer.finish(tail: tail)
    }
}

extension IndexPlan {
    /// The number of entries in each leaf directory.
    var entriesInLeaf: Int { LeafDirectory.size(of: tileCount) }

    /// The number of files of leaf directories; none if the root has room for all entries.
    var directoryFiles: Int {
        guard tileCount > LeafDirectory.entries else { return 0 }
        let inFile = DirectoriesFile.leavesInFile * entriesInLeaf
        return (tileCount + inFile - 1) / inFile
    }

    /// The entries in a file of leaf directories.
    func entries(ofFile number: Int) -> Range<Int> {
        let inFile = DirectoriesFile.leavesInFile * entriesInLeaf
        return number * inFile..<min((number + 1) * inFile, tileCount)
    }

    /// The sections that have some of the entries, each with the numbers of its first tile and its first byte.
    private func sections(
        of entries: Range<Int>
    ) -> [(section: Section, first: Int, start: Int)] {
        var (first, start) = (0, 0)
        var found: [(section: Section, first: Int, start: Int)] = []
        for section in sections {
            let own = first..<first + section.zoom.tiles
            if own.overlaps(entries) { found.append((section, first, start)) }
            (first, start) = (own.upperBound, start + section.zoom.stream.count)
        }
        return found
    }

    /// The bytes of files of tiles from which entries are made.
    func wanted(of entries: Range<Int>, _ job: CellJob) -> [RemoteFiles.Piece] {
        sections(of: entries).flatMap { wanted -> [RemoteFiles.Piece] in
            let path = Self.path(ofPart: wanted.section.part, job)
            return [0..<JobFolder.usualHead, wanted.section.zoom.index]
                .map { .init(path: path, bytes: $0) }
        }
    }

    /// Calls `body` with a range of the entries of a PMTiles archive.
    func forEachEntry(
        of entries: Range<Int>, _ job: CellJob, _ body: (PMTilesDirectory.Entry) throws -> Void
    ) throws {
        try job.folder.fetch(wanted(of: entries, job))
        var last: UInt64?
        for (section, first, start) in sections(of: entries) {
            try job.checkCancelled()
            let (reader, _) = try job.read(Self.path(ofPart: section.part, job))
            let index = try section.zoom.read(reader)
            var offset = start
            for tile in 0..<index.count {
                let length = index.lengths[tile]
                defer { offset += Int(length) }
                guard entries.contains(first + tile) else { continue }
                let id = index.tile(tile).hilbertID
                if let last, id <= last {
                    throw JobError.doesNotAddUp("tile \(index.tile(tile)) is in two cells")
                }
                last = id
                try body(.init(id: id, offset: UInt64(offset), length: length, run: 1))
            }
        }
    }
}
