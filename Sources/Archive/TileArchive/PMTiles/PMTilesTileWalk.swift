import Geometry

/// Goes through the tiles of a PMTiles archive by zoom, column and TMS row: the entries of a zoom are gathered
/// and sorted. If there are too many, this is done for some columns at a time.
final class PMTilesTileWalk: TileWalk {
    private let file: PMTilesFile
    private var tiles: ZoomEntries
    private var zoom: UInt8 { tiles.zoom }
    /// The columns of the zoom whose tiles are still to be gathered, the next last, and the entries from the
    /// zoom's first on.
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

    private var isChecked = false
    /// How many tiles are gathered at once: they take forty megabytes, and half as many more while they are
    /// sorted.
    private let mostGathered: Int
    /// Whether a zoom may have more tiles: according to the header, or, if that was wrong, as was found.
    private var isLarge: Bool
    private var budget: WorkBudget
    static let mostGathered = 1_500_000
    /// Columns are counted in groups, 2 to the power of this.
    private static let groupBits = 12

    init(
        _ file: PMTilesFile, zooms: ClosedRange<Int>, _ budget: WorkBudget,
        mostGathered: Int = PMTilesTileWalk.mostGathered
    ) {
        self.file = file
        self.budget = budget
        self.mostGathered = mostGathered
        isLarge = file.header.addressedTiles > UInt64(mostGathered)
        tiles = ZoomEntries(file, zooms: zooms)
        entries = tiles
    }

    func next(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileID? {
        guard let (tile, entry) = try nextWaitingTile() else { return nil }
        try budget.take(bytes: Int(entry.length), of: file.source.path)
        bytes = try file.contents(entry)
        return tile
    }

    func next() throws(ArchiveError) -> TileID? { try nextWaitingTile()?.tile }

    private func nextWaitingTile() throws(ArchiveError) -> (
        tile: TileID, entry: PMTilesDirectory.Entry
    )? {
        try tiles.check(budget, once: &isChecked)
        while nextWaiting == waiting.count {
            if let columns = stripes.popLast() {
                try gather(columns)
            } else {
                guard try tiles.nextZoom() else { return nil }
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
        guard isLarge else {
            stripes = [0..<1 << UInt64(zoom)]
            return
        }
        var counts = [Int](repeating: 0, count: 1 << min(Int(zoom), Self.groupBits))
        while let entry = try tiles.next() {
            try budget.take(tiles: Int(entry.run), of: file.source.path)
            for id in entry.id..<entry.id + UInt64(entry.run) {
                counts[Int(Self.tile(id, zoom).x) >> Int(shift)] += 1
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
            guard isLarge || waiting.count + Int(entry.run) <= mostGathered else {
                waiting.removeAll()
                isLarge = true
                tiles = entries
                return try lay()
            }
            if !isLarge { try budget.take(tiles: Int(entry.run), of: file.source.path) }
            for id in entry.id..<entry.id + UInt64(entry.run) {
                let tile = Self.tile(id, zoom)
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

    private static func tile(_ id: UInt64, _ zoom: UInt8) -> TileID {
        let cell = Hilbert.cell(at: id - TileID.firstHilbertID(atZoom: zoom), order: zoom)
        return TileID(z: zoom, x: cell.x, y: cell.y)
    }
}
