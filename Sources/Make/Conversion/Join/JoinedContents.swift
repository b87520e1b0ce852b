import ArchiveContract
import Compression
import Geometry
import TileArchive

/// Several archives that are read as one.
struct JoinedContents: ArchiveContents {
    let archives: [Archive]
    let contents: [any ArchiveContents]
    let plan: JoinPlan
    let compression: Int
    let metadata: ArchiveMetadata
    let layout = ArchiveLayout(name: "joined", words: "several archives")
    let warnings: [ArchiveWarning] = []
    let tally = JoinTally()

    init(_ archives: [Archive], _ metadata: ArchiveMetadata, _ plan: JoinPlan, compression: Int) {
        self.archives = archives
        contents = archives.map(\.contents)
        self.plan = plan
        self.metadata = metadata
        self.compression = compression
    }

    var byteCount: Int? {
        contents.reduce(0) { sum, each in sum.flatMap { sum in each.byteCount.map { sum + $0 } } }
    }

    var hasClusters: Bool { !plan.units.isEmpty }
    var paths: [String] { archives.map(\.path) }

    func tileFinder(cacheBytes: Int) throws(ArchiveError) -> any TileFinder {
        var finders: [any TileFinder] = []
        for each in contents {
            finders.append(try each.tileFinder(cacheBytes: cacheBytes / contents.count))
        }
        return JoinedTileFinder(self, finders)
    }

    func tileWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any TileWalk {
        JoinedTileWalk(try tileFinder(cacheBytes: 16 << 20), try numbers(zooms))
    }

    func tileNumberWalk(zooms: ClosedRange<Int>) throws(ArchiveError) -> any TileWalk {
        JoinedTileWalk(nil, try numbers(zooms))
    }

    private func numbers(_ zooms: ClosedRange<Int>) throws(ArchiveError) -> [any TileWalk] {
        var walks: [any TileWalk] = []
        for each in contents { walks.append(try each.tileNumberWalk(zooms: zooms)) }
        return walks
    }

    func audit() throws(ArchiveError) -> ContainerAudit { ContainerAudit() }

    func strayRows() throws(ArchiveError) -> Int {
        var count = 0
        for each in contents { count += try each.strayRows() }
        return count
    }
}

/// Looks tiles up in all archives and merges those that it finds.
private final class JoinedTileFinder: TileFinder {
    private let finders: [any TileFinder]
    private let keepsIDs: [Bool]
    private var merge: TileMerge
    private var compressor: GzipCompressor
    private let path: String
    private let tally: JoinTally
    private var budget: WorkBudget

    init(_ joined: JoinedContents, _ finders: [any TileFinder]) {
        self.finders = finders
        keepsIDs = joined.archives.indices.map { joined.plan.keepsIDs(of: $0) }
        merge = TileMerge(joined.plan, paths: joined.paths, joined.tally)
        tally = joined.tally
        budget = WorkBudget(fileBytes: joined.byteCount)
        compressor = GzipCompressor(level: joined.compression)
        path = joined.paths.joined(separator: ", ")
    }

    func withTile(
        at tile: TileID, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool {
        var parts: [TileMerge.Part] = []
        for (source, finder) in finders.enumerated() {
            _ = try finder.withTile(at: tile) {
                parts.append(TileMerge.Part(source: source, bytes: $0.copied))
            }
        }
        guard let first = parts.first else { return false }
        if parts.count == 1, keepsIDs[first.source] {
            body(first.bytes.span)
            return true
        }
        tally.countRewrittenTile()
        let plain: [UInt8]
        do throws(ConversionError) {
            plain = try merge.merge(parts, of: tile)
        } catch {
            throw .corrupt(path: path, reason: "\(error)")
        }
        try budget.take(bytes: plain.count, of: path)
        let packed = compressor.compress(plain.span)
        body(packed.span)
        return true
    }
}

/// Walks over the tiles of several archives side by side.
private final class JoinedTileWalk: TileWalk {
    private let finder: (any TileFinder)?
    private let walks: [any TileWalk]
    private var heads: [TileID?] = []
    private var isBegun = false

    init(_ finder: (any TileFinder)?, _ walks: [any TileWalk]) {
        self.finder = finder
        self.walks = walks
    }

    func next(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileID? {
        guard let tile = try next() else { return nil }
        var found: [UInt8] = []
        _ = try finder?.withTile(at: tile) { found = $0.copied }
        bytes = found
        return tile
    }

    func next() throws(ArchiveError) -> TileID? {
        if !isBegun {
            for walk in walks { heads.append(try walk.next()) }
            isBegun = true
        }
        var least: TileID?
        for case let head? in heads where least.map({ head.comesInKeys(before: $0) }) ?? true {
            least = head
        }
        for index in heads.indices where heads[index] == least && least != nil {
            heads[index] = try walks[index].next()
        }
        return least
    }
}
