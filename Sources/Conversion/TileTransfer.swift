import Compression
import Geometry
import Pipelines
import Synchronization
import TileArchive

/// Brings tiles from one archive to another in the order that the other asks for, without looking
/// into them: one thread reads, or several look up where the order is another; one writes.
struct TileTransfer: Sendable {
    let archive: Archive
    let selection: TileSelection
    let threads: Int
    /// How hard tiles are packed that are not gzip; nil leaves all as they are.
    let packing: Int?
    let isCancelled: @Sendable () -> Bool
    /// Whether tiles are looked up by several threads in any case, because reading them is work.
    var looksUp = false

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
                return try asScanned(scan, to: sink, &report, progress)
            }
            try lookingUp(by: .curve, to: sink, &report, progress)
        }
    }

    private func asScanned(
        _ scan: consuming TileScan, to sink: any ArchiveSink, _ report: inout ConversionReport,
        _ progress: (Int) -> Void
    ) throws {
        let feed = TileFeed(scan, selection)
        let packing = packing
        try OrderedPipeline(threads: threads).run(
            next: {
                if isCancelled() { throw ConversionError.cancelled }
                return try feed.next()
            },
            state: { WorkerState(Packer(level: packing)) },
            work: { packer, batch in packer.value.pack(batch) },
            consume: { batch in
                try batch.write(to: sink, &report)
                progress(report.tiles)
            })
    }

    private func lookingUp(
        by order: NumberFeed.Order, to sink: any ArchiveSink, _ report: inout ConversionReport,
        _ progress: (Int) -> Void
    ) throws {
        let numbers = try NumberFeed(archive, selection, order)
        let (archive, packing) = (archive, packing)
        try OrderedPipeline(threads: threads).run(
            next: {
                if isCancelled() { throw ConversionError.cancelled }
                return try numbers.next()
            },
            state: { WorkerState(Reader(archive, packing: packing)) },
            work: { reader, tiles in try reader.value.read(tiles) },
            consume: { batch in
                try batch.write(to: sink, &report)
                progress(report.tiles)
            })
    }
}

/// Tiles as a scan gives them, batch by batch.
private final class TileFeed: Sendable {
    private struct State: ~Copyable {
        var scan: TileScan
        var isAtEnd = false
    }
    private let state: Mutex<State>
    private let selection: TileSelection

    init(_ scan: consuming TileScan, _ selection: TileSelection) {
        state = Mutex(State(scan: scan))
        self.selection = selection
    }

    func next() throws -> MovedTiles? {
        try state.withLock { state in
            var batch = MovedTiles()
            while !state.isAtEnd, !batch.isFull {
                guard let tile = try state.scan.next() else {
                    state.isAtEnd = true
                    break
                }
                if selection.contains(tile) { batch.append(tile, state.scan.bytes) }
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
            // A walk that has come to its end would begin again.
            keys = nil
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

/// Packs what is not gzip, where that is asked for. One a worker.
private struct Packer: ~Copyable {
    private var compressor: GzipCompressor
    private let packs: Bool

    init(level: Int?) {
        compressor = GzipCompressor(level: level ?? 1)
        packs = level != nil
    }

    mutating func pack(_ batch: MovedTiles) -> MovedTiles {
        packs ? batch.packed(with: &compressor) : batch
    }
}

/// Looks tiles up. One a worker, opened with its first batch.
private struct Reader: ~Copyable {
    private let archive: Archive
    private var packer: Packer
    private var tiles: TileLookup?

    init(_ archive: Archive, packing level: Int?) {
        self.archive = archive
        packer = Packer(level: level)
    }

    mutating func read(_ wanted: [TileID]) throws -> MovedTiles {
        if tiles == nil {
            tiles = try archive.openTiles(cacheBytes: 16 << 20)
            try tiles?.holdStill()
        }
        var batch = MovedTiles()
        for tile in wanted { _ = try tiles?.withTile(at: tile) { batch.append(tile, $0) } }
        return packer.pack(batch)
    }
}
