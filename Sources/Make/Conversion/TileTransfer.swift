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
        case .byColumn: try lookingUp(by: .keys, to: sink, &report, progress)
        case .alongHilbertCurve:
            if !looksUp, let scan = try archive.scanAlongCurve(zooms: selection.zooms) {
                // Tiles with the same bytes are handled one by one if they are selected by a box, or read.
                let inGroups = selection.box == nil && !looksInside
                return try asScanned(scan, inGroups: inGroups, to: sink, &report, progress)
            }
            try lookingUp(by: .curve, to: sink, &report, progress)
        }
    }

    private func packer() -> Packer {
        let figures = looksInside ? FigureReader(archive, selection) : nil
        return Packer(level: packing, figures)
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
        let feed = TileFeed(scan, selection, inGroups: inGroups)
        let makePacker = packer
        var budget = archive.workBudget
        try OrderedPipeline(threads: threads).run(
            next: {
                if isCancelled() { throw ConversionError.cancelled }
                return try feed.next()
            },
            share: { $0.share },
            state: { WorkerState(makePacker()) },
            work: { packer, batch in packer.value.pack(batch) },
            consume: { batch in
                try write(batch, to: sink, &budget, &report)
                progress(report.tiles)
            })
    }

    private func lookingUp(
        by order: NumberFeed.Order, to sink: any ArchiveSink, _ report: inout ConversionReport,
        _ progress: (Int) -> Void
    ) throws {
        let numbers = try NumberFeed(archive, selection, order)
        let (archive, makePacker) = (archive, packer)
        @Sendable func makeReader() -> Reader { Reader(archive, makePacker()) }
        var budget = archive.workBudget
        var rest = makeReader()
        try OrderedPipeline(threads: threads).run(
            next: {
                if isCancelled() { throw ConversionError.cancelled }
                return try numbers.next()
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
private final class TileFeed: Sendable {
    private struct State: ~Copyable {
        var scan: TileScan
        var isAtEnd = false
    }
    private let state: Mutex<State>
    private let selection: TileSelection
    private let inGroups: Bool

    init(_ scan: consuming TileScan, _ selection: TileSelection, inGroups: Bool) {
        self.inGroups = inGroups
        state = Mutex(State(scan: scan))
        self.selection = selection
    }

    func next() throws -> MovedTiles? {
        try state.withLock { state in
            var batch = MovedTiles()
            while !state.isAtEnd, !batch.isFull {
                guard
                    let group = inGroups
                        ? try state.scan.nextGroup() : try state.scan.next().map({ TileGroup($0) })
                else {
                    state.isAtEnd = true
                    break
                }
                if selection.contains(group.first) { batch.append(group, from: &state.scan) }
            }
            return batch.tiles.isEmpty ? nil : batch
        }
    }
}

/// Numbers of tiles, batch by batch.
private final class NumberFeed: Sendable {
    enum Order { case keys, curve }

    private struct State: ~Copyable {
        var keys: TileNumberScan?
        var curve: CurveOrder?

        mutating func next() throws(ArchiveError) -> TileID? {
            if let tile = try keys?.next() { return tile }
            return try curve?.next()
        }
    }
    private let state: Mutex<State>
    private let selection: TileSelection

    init(
        _ archive: Archive, _ selection: TileSelection, _ order: Order
    ) throws(ArchiveError) {
        var first = State()
        switch order {
        case .keys: first.keys = try archive.scanNumbers(zooms: selection.zooms)
        case .curve: first.curve = try CurveOrder(archive, selection)
        }
        state = Mutex(first)
        self.selection = selection
    }

    func next() throws -> [TileID]? {
        try state.withLock { state in
            var tiles: [TileID] = []
            while tiles.count < 1_024, let tile = try state.next() {
                if selection.contains(tile) { tiles.append(tile) }
            }
            return tiles.isEmpty ? nil : tiles
        }
    }
}

/// Compresses tiles that are not gzip, and reads tiles, where that is asked for. Each worker has its own.
private struct Packer: ~Copyable {
    private var compressor: GzipCompressor
    private let packs: Bool
    private var figures: FigureReader?

    init(level: Int?, _ figures: consuming FigureReader?) {
        compressor = GzipCompressor(level: level ?? 1)
        packs = level != nil
        self.figures = figures
    }

    mutating func pack(_ batch: MovedTiles) -> MovedTiles {
        var batch = packs ? batch.packed(with: &compressor) : batch
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
        return (packer.pack(batch), later)
    }
}
