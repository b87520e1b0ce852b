import Geometry

/// Goes through the tiles of a PMTiles archive as they lie: zoom by zoom along the Hilbert curve.
final class PMTilesCurveWalk: TileWalk {
    private var tiles: ZoomEntries
    private var window: ReadAhead
    private var zoom: UInt8 = 0
    private var entry = PMTilesDirectory.Entry(id: 0, offset: 0, length: 0, run: 0)
    /// How many tiles of its run have been given.
    private var given: UInt32 = 0

    init(_ file: PMTilesFile, zooms: ClosedRange<Int>) {
        tiles = ZoomEntries(file, zooms: zooms)
        window = ReadAhead(file)
    }

    var strayCount: Int { tiles.strayCount }

    func next(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileID? {
        while given == entry.run {
            if let next = try tiles.next() {
                (entry, given) = (next, 0)
            } else {
                guard let next = try tiles.nextZoom() else { return nil }
                zoom = next
            }
        }
        try window.withContents(of: entry) { contents in
            bytes.removeAll(keepingCapacity: true)
            unsafe contents.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        }
        defer { given += 1 }
        return TileID(curveNumber: entry.id + UInt64(given), zoom: zoom)
    }
}

/// Goes through the tiles of a PMTiles archive by zoom, column and TMS row: a zoom's entries are
/// gathered, and sorted. Where they are too many, some columns at a time are.
final class PMTilesTileWalk: TileWalk {
    private let file: PMTilesFile
    private var tiles: ZoomEntries
    private var zoom: UInt8 = 0
    /// Columns of the zoom whose tiles are yet to be gathered, the next last, and the entries from its
    /// first on.
    private var stripes: [Range<UInt64>] = []
    private var entries: ZoomEntries
    private var waiting: [WaitingTile] = []
    private var nextWaiting = 0

    private struct WaitingTile {
        /// Column and TMS row.
        var key: UInt64
        var offset: UInt64
        var length: UInt32
    }

    /// As many tiles are gathered at once: forty megabytes, and half as many while they are sorted.
    private let mostGathered: Int
    static let mostGathered = 1_500_000
    /// Columns are counted in so many groups.
    private static let groupBits = 12

    init(
        _ file: PMTilesFile, zooms: ClosedRange<Int>,
        mostGathered: Int = PMTilesTileWalk.mostGathered
    ) {
        self.file = file
        self.mostGathered = mostGathered
        tiles = ZoomEntries(file, zooms: zooms)
        entries = tiles
    }

    var strayCount: Int { tiles.strayCount }

    func next(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileID? {
        guard let (tile, entry) = try nextWaitingTile() else { return nil }
        bytes = try file.contents(entry)
        return tile
    }

    func next() throws(ArchiveError) -> TileID? { try nextWaitingTile()?.tile }

    private func nextWaitingTile() throws(ArchiveError) -> (
        tile: TileID, entry: PMTilesDirectory.Entry
    )? {
        while nextWaiting == waiting.count {
            if let columns = stripes.popLast() {
                try gather(columns)
            } else {
                guard let next = try tiles.nextZoom() else { return nil }
                zoom = next
                try lay()
            }
        }
        let tile = waiting[nextWaiting]
        nextWaiting += 1
        let column = UInt32(tile.key >> 32)
        let row = UInt32(truncatingIfNeeded: tile.key)
        let last = UInt32((UInt64(1) << UInt64(zoom)) - 1)
        return (
            TileID(z: zoom, x: column, y: last - row),
            .init(id: 0, offset: tile.offset, length: tile.length, run: 1)
        )
    }

    /// Cuts the zoom into stripes with few enough tiles.
    private func lay() throws(ArchiveError) {
        entries = tiles
        let shift = UInt64(max(Int(zoom) - Self.groupBits, 0))
        guard file.header.addressedTiles > UInt64(mostGathered) else {
            stripes = [0..<1 << UInt64(zoom)]
            return
        }
        var counts = [Int](repeating: 0, count: 1 << min(Int(zoom), Self.groupBits))
        while let entry = try tiles.next() {
            for id in entry.id..<entry.id + UInt64(entry.run) {
                counts[Int(TileID(curveNumber: id, zoom: zoom).x) >> Int(shift)] += 1
            }
        }
        var (start, total) = (0, 0)
        for group in counts.indices {
            if total + counts[group] > mostGathered, group > start {
                stripes.append(UInt64(start) << shift..<UInt64(group) << shift)
                (start, total) = (group, 0)
            }
            total += counts[group]
        }
        stripes.append(UInt64(start) << shift..<UInt64(counts.count) << shift)
        stripes.reverse()
    }

    /// Gathers the tiles of some columns.
    private func gather(_ columns: Range<UInt64>) throws(ArchiveError) {
        waiting.removeAll(keepingCapacity: true)
        // An array that grows by itself takes up to three times as much meanwhile.
        waiting.reserveCapacity(Int(min(file.header.addressedTiles, UInt64(mostGathered))))
        nextWaiting = 0
        var rest = entries
        while let entry = try rest.next() {
            for id in entry.id..<entry.id + UInt64(entry.run) {
                let tile = TileID(curveNumber: id, zoom: zoom)
                guard columns.contains(UInt64(tile.x)) else { continue }
                waiting.append(
                    WaitingTile(
                        key: UInt64(tile.x) << 32 | UInt64(tile.tmsRow), offset: entry.offset,
                        length: entry.length))
            }
        }
        if stripes.isEmpty { tiles = rest }
        waiting.sort { $0.key < $1.key }
    }
}

/// The entries of a PMTiles archive's tiles zoom by zoom, none of which lies in two zooms. A copy goes
/// on from where it was made.
private struct ZoomEntries {
    private let file: PMTilesFile
    private let zooms: ClosedRange<Int>
    private var entries: EntryWalk
    private var ahead: PMTilesDirectory.Entry?
    private var zoom = -1
    private var tileCount = 0
    /// Entries past the deepest zoom that there is.
    private(set) var strayCount = 0

    /// No more tiles of one zoom are gone through.
    private static let mostTiles = 80_000_000

    init(_ file: PMTilesFile, zooms: ClosedRange<Int>) {
        self.file = file
        self.zooms = zooms
        entries = EntryWalk(file)
    }

    /// Goes to the next zoom that has tiles; nil behind the last.
    mutating func nextZoom() throws(ArchiveError) -> UInt8? {
        while try next() != nil {}
        while let entry = try nextEntry() {
            guard let part = ZoomParts(entry.id, run: entry.run).first(where: { _ in true }) else {
                strayCount += 1
                continue
            }
            guard part.zoom <= zooms.upperBound else { return nil }
            if part.zoom >= zooms.lowerBound {
                ahead = entry
                zoom = part.zoom
                tileCount = 0
                return UInt8(part.zoom)
            }
            if part.count < Int(entry.run) { ahead = entry.dropping(part.count) }
        }
        return nil
    }

    /// The next entry of the zoom; nil behind its last.
    mutating func next() throws(ArchiveError) -> PMTilesDirectory.Entry? {
        guard zoom >= 0, let entry = try nextEntry() else { return nil }
        guard let part = ZoomParts(entry.id, run: entry.run).first(where: { _ in true }),
            part.zoom == zoom
        else {
            ahead = entry
            return nil
        }
        tileCount += part.count
        guard tileCount <= Self.mostTiles else {
            throw file.damaged(
                "zoom \(zoom) has more than \(Self.mostTiles) tiles, which is more than can be gone "
                    + "through")
        }
        guard part.count < Int(entry.run) else { return entry }
        ahead = entry.dropping(part.count)
        var own = entry
        own.run = UInt32(part.count)
        return own
    }

    private mutating func nextEntry() throws(ArchiveError) -> PMTilesDirectory.Entry? {
        if let entry = ahead.take() { return entry }
        return try entries.next()
    }
}

extension PMTilesDirectory.Entry {
    /// What is left of a run behind its first tiles.
    fileprivate func dropping(_ count: Int) -> PMTilesDirectory.Entry {
        var rest = self
        rest.id += UInt64(count)
        rest.run -= UInt32(count)
        return rest
    }
}

extension TileID {
    /// The tile of a zoom that has that number in a PMTiles archive.
    fileprivate init(curveNumber id: UInt64, zoom: UInt8) {
        let cell = Hilbert.cell(at: id - Self.firstHilbertID(atZoom: zoom), order: zoom)
        self.init(z: zoom, x: cell.x, y: cell.y)
    }
}
