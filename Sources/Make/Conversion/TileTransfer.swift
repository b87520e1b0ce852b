import Compression
import Geometry
import Pipelines
import Synchronization
import TileArchive

/// Copies tiles from one archive to another in the order that the other needs. One thread reads, or
/// several look tiles up if the order differs; one thread writes.
struct TileTransfer: Sendable {
    let archive: Archive
    let selection: TileSelection
    let threads: Int
    /// The compression level for tiles that are not gzip; nil leaves all as they are.
    let packing: Int?
    let isCancelled: @Sendable () -> Bool
    /// Whether several threads look tiles up in any case, because reading them is work.
    var looksUp = false
    /// Whether tiles are read, so that metadata can describe what is in them.
    var looksInside = false

    func run(
        to sink: any ArchiveSink, _ report: inout ConversionReport, progress: (Int) -> Void
    ) throws {
        switch sink.tileOrder {
        case .byColumn where !looksUp:
            let scan = try archive.scan(zooms: selection.zooms)
            try asScanned(scan, to: sink, &report, progress)
        case .byColumn:
            let keys = try archive.scanNumbers(zooms: selection.zooms)
            try lookingUp(NumberFeed(keys: keys, selection: selection), to: sink, &report, progress)
        case .alongHilbertCurve:
            if !looksUp, let scan = try archive.scanAlongCurve(zooms: selection.zooms) {
                // Tiles with the same bytes are handled one by one if they are selected by a box, or read.
                let inGroups = selection.box == nil && !looksInside
                return try asScanned(scan, inGroups: inGroups, to: sink, &report, progress)
            }
            let curve = CurveOrder(archive, selection)
            try lookingUp(
                NumberFeed(curve: curve, selection: selection), to: sink, &report, progress)
        }
    }

    private func packer() -> Packer {
        let figures = looksInside ? FigureReader(archive) : nil
        return Packer(level: packing, of: archive.path, figures)
    }

    /// Hands tiles to the sink, as long as their size is plausible for their archive.
    private func write(
        _ batch: MovedTiles, to sink: any ArchiveSink, _ budget: inout WorkBudget,
        _ report: inout ConversionReport
    ) throws {
        try budget.take(
            bytes: sink.wantsGzip ? batch.takenBytes : batch.plainBytes, of: archive.path)
        try batch.write(to: sink, &report)
    }

    private func asScanned(
        _ scan: consuming TileScan, inGroups: Bool = false, to sink: any ArchiveSink,
        _ report: inout ConversionReport,
        _ progress: (Int) -> Void
    ) throws {
        let feed = Mutex(TileFeed(scan: scan, selection: selection, inGroups: inGroups))
        let makePacker = packer
        var budget = archive.workBudget
        try OrderedPipeline(threads: threads).run(
            next: {
                if isCancelled() { throw ConversionError.cancelled }
                return try feed.withLock { try $0.next() }
            },
            share: { $0.share },
            state: { WorkerState(makePacker()) },
            work: { packer, batch in try packer.value.pack(batch) },
            consume: { batch in
                try write(batch, to: sink, &budget, &report)
                progress(report.tiles)
            })
    }

    private func lookingUp(
        _ feed: consuming sending NumberFeed, to sink: any ArchiveSink,
        _ report: inout ConversionReport, _ progress: (Int) -> Void
    ) throws {
        let feed = Mutex(feed)
        let (archive, makePacker) = (archive, packer)
        @Sendable func makeReader() -> Reader { Reader(archive, makePacker()) }
        var budget = archive.workBudget
        var rest = makeReader()
        try OrderedPipeline(threads: threads).run(
            next: {
                if isCancelled() { throw ConversionError.cancelled }
                return try feed.withLock { try $0.next() }
            },
            state: { WorkerState(makeReader()) },
            work: { reader, tiles in try reader.value.read(tiles[...]) },
            consume: { first, later in
                try write(first, to: sink, &budget, &report)
                var later = later
                while !later.isEmpty {
                    let (batch, left) = try rest.read(later, isAlone: true)
                    try write(batch, to: sink, &budget, &report)
                    later = left
                }
                progress(report.tiles)
            })
    }
}

/// Tiles from a scan, batch by batch.
private struct TileFeed: ~Copyable {
    var scan: TileScan
    let selection: TileSelection
    let inGroups: Bool
    var isAtEnd = false

    mutating func next() throws(ArchiveError) -> MovedTiles? {
        var batch = MovedTiles()
        while !isAtEnd, !batch.isFull {
            guard
                let group = inGroups
                    ? try scan.nextGroup() : try scan.next().map({ TileGroup($0) })
            else {
                isAtEnd = true
                break
            }
            if selection.contains(group.first) { batch.append(group, from: &scan) }
        }
        return batch.tiles.isEmpty ? nil : batch
    }
}

/// Numbers of tiles, batch by batch: by key, or along the curve.
private struct NumberFeed: ~Copyable {
    var keys: (any TileWalk)?
    var curve: CurveOrder?
    let selection: TileSelection

    mutating func next() throws(ArchiveError) -> [TileID]? {
        var tiles: [TileID] = []
        while tiles.count < 1_024, let tile = try nextTile() {
            if selection.contains(tile) { tiles.append(tile) }
        }
        return tiles.isEmpty ? nil : tiles
    }

    private mutating func nextTile() throws(ArchiveError) -> TileID? {
        if let keys { return try keys.next() }
        return try curve?.next()
    }
}

/// Compresses tiles that are not gzip, and reads tiles, where that is asked for. Each worker has its own.
private struct Packer: ~Copyable {
    private var compressor: GzipCompressor
    private let packs: Bool
    private let path: String
    private var figures: FigureReader?

    init(level: Int?, of path: String, _ figures: consuming FigureReader?) {
        compressor = GzipCompressor(level: level ?? 1)
        packs = level != nil
        self.path = path
        self.figures = figures
    }

    mutating func pack(_ batch: MovedTiles) throws(ConversionError) -> MovedTiles {
        var batch = packs ? try batch.packed(with: &compressor, of: path) : batch
        batch.figures = figures?.figures(of: batch)
        return batch
    }
}

/// Looks tiles up. Each worker has its own, opened with its first batch.
private struct Reader: ~Copyable {
    private let archive: Archive
    private var packer: Packer
    private var tiles: TileLookup?

    private static let mostBytes = 4 << 20

    init(_ archive: Archive, _ packer: consuming Packer) {
        self.archive = archive
        self.packer = packer
    }

    /// Reads tiles up to a size.
    /// - Parameter isAlone: whether no other tiles are held in memory, so that a tile may be larger.
    /// - Returns: the tiles, and those that are still to be read.
    mutating func read(
        _ wanted: ArraySlice<TileID>, isAlone: Bool = false
    ) throws -> (batch: MovedTiles, later: ArraySlice<TileID>) {
        if tiles == nil {
            tiles = try archive.openTiles(cacheBytes: 16 << 20)
            try tiles?.holdStill()
        }
        var batch = MovedTiles()
        var later = wanted
        while let tile = later.first {
            let mayBeLarge = isAlone && batch.tiles.isEmpty
            let isTaken = try tiles?.withTile(at: tile) { contents in
                guard mayBeLarge || batch.bytes.count + contents.count <= Self.mostBytes else {
                    return false
                }
                batch.append(tile, contents)
                return true
            }
            guard isTaken ?? true else { break }
            later.removeFirst()
        }
        return (try packer.pack(batch), later)
    }
}
