import Geometry

/// Looks up tiles in a PMTiles archive. One after another is what maps and conversions ask for: then the
/// directory is at hand, and tiles are read some at a time.
final class PMTilesTileFinder: TileFinder {
    private let file: PMTilesFile
    /// The leaf directory that was looked into last.
    private var leaf: PMTilesDirectory?
    private var window = Window()

    /// Bytes of the file, and where the tile that was asked for last ends.
    private struct Window {
        var start = 0
        var bytes: [UInt8] = []
        var end = 0
    }

    /// So much is read ahead, once a tile follows so closely behind the one before.
    private static let readAhead = 256 << 10
    private static let nearBytes = 16 << 10

    init(_ file: PMTilesFile) { self.file = file }

    func withTile(
        at tile: TileID, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool {
        guard let entry = try entry(for: tile.hilbertID) else { return false }
        let range = try file.range(of: entry)
        let follows = (window.end...window.end + Self.nearBytes).contains(range.lowerBound)
        window.end = range.upperBound
        let known = window.start..<window.start + window.bytes.count
        if range.isEmpty || range.lowerBound < known.lowerBound
            || range.upperBound > known.upperBound
        {
            guard follows, range.count < Self.readAhead else {
                let bytes = try file.source.bytes(range)
                body(bytes.span)
                return true
            }
            let end = min(range.lowerBound + Self.readAhead, file.source.byteCount)
            window.bytes = try file.source.bytes(range.lowerBound..<end)
            window.start = range.lowerBound
        }
        let start = range.lowerBound - window.start
        let bytes = window.bytes
        body(bytes.span.extracting(start..<start + range.count))
        return true
    }

    private func entry(for id: UInt64) throws(ArchiveError) -> PMTilesDirectory.Entry? {
        if let leaf, leaf.ids?.contains(id) == true {
            // What it does not know no other one does.
            guard let entry = leaf.entry(for: id) else { return nil }
            if !entry.isLeaf { return entry }
        }
        return try file.entry(for: id) { leaf = $0 }
    }
}

/// Goes through the tiles of a PMTiles archive by zoom, column and TMS row: a zoom's entries are
/// gathered, and sorted.
final class PMTilesTileWalk: TileWalk {
    private let file: PMTilesFile
    private let zooms: ClosedRange<Int>
    private var entries: EntryWalk
    private var ahead: PMTilesDirectory.Entry?
    private var waiting: [WaitingTile] = []
    private var nextWaiting = 0
    private var zoom: UInt8 = 0
    /// Entries past the deepest zoom that there is.
    private(set) var strayCount = 0

    private struct WaitingTile {
        /// Column and TMS row.
        var key: UInt64
        var offset: UInt64
        var length: UInt32
    }

    /// As many tiles of one zoom are gathered: some two gigabytes.
    private static let mostTiles = 80_000_000

    init(_ file: PMTilesFile, zooms: ClosedRange<Int>) {
        self.file = file
        self.zooms = zooms
        entries = EntryWalk(file)
    }

    func next(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileID? {
        while nextWaiting == waiting.count {
            guard try gather() else { return nil }
        }
        let tile = waiting[nextWaiting]
        nextWaiting += 1
        bytes = try file.contents(
            .init(id: 0, offset: tile.offset, length: tile.length, run: 1))
        let column = UInt32(tile.key >> 32)
        let row = UInt32(truncatingIfNeeded: tile.key)
        let last = UInt32((UInt64(1) << UInt64(zoom)) - 1)
        return TileID(z: zoom, x: column, y: last - row)
    }

    /// Takes the tiles of the next zoom that has some; false behind the last.
    private func gather() throws(ArchiveError) -> Bool {
        waiting.removeAll(keepingCapacity: true)
        nextWaiting = 0
        var found: UInt8?
        while let entry = try nextEntry() {
            guard let part = ZoomParts(entry.id, run: entry.run).first(where: { _ in true }) else {
                strayCount += 1
                continue
            }
            if let found, Int(found) != part.zoom {
                ahead = entry
                break
            }
            if part.count < Int(entry.run) {
                ahead = entry
                ahead?.id += UInt64(part.count)
                ahead?.run -= UInt32(part.count)
            }
            if zooms.contains(part.zoom) {
                found = UInt8(part.zoom)
                try take(entry, count: part.count)
            } else if part.zoom > zooms.upperBound {
                break
            }
        }
        guard let found else { return false }
        zoom = found
        waiting.sort { $0.key < $1.key }
        return true
    }

    private func nextEntry() throws(ArchiveError) -> PMTilesDirectory.Entry? {
        if let entry = ahead.take() { return entry }
        return try entries.next()
    }

    private func take(
        _ entry: PMTilesDirectory.Entry, count: Int
    ) throws(ArchiveError) {
        guard waiting.count + count <= Self.mostTiles else {
            throw file.damaged(
                "a zoom has more than \(Self.mostTiles) tiles, which is more than can be gone through"
            )
        }
        for step in 0..<UInt64(count) {
            guard let tile = TileID(hilbertID: entry.id + step) else {
                strayCount += 1
                continue
            }
            waiting.append(
                WaitingTile(
                    key: UInt64(tile.x) << 32 | UInt64(tile.tmsRow), offset: entry.offset,
                    length: entry.length))
        }
    }
}
