import Geometry

/// Goes through the tiles of a PMTiles archive as they lie: zoom by zoom along the Hilbert curve.
final class PMTilesCurveWalk: TileWalk {
    private var tiles: ZoomEntries
    private var window: ReadAhead
    private var zoom: UInt8 = 0
    private var entry = PMTilesDirectory.Entry(id: 0, offset: 0, length: 0, run: 0)
    /// How many tiles of its run have been given.
    private var given: UInt32 = 0
    private var budget: WorkBudget
    private let path: String

    init(_ file: PMTilesFile, zooms: ClosedRange<Int>, _ budget: WorkBudget) {
        tiles = ZoomEntries(file, zooms: zooms, budget)
        self.budget = budget
        path = file.source.path
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
        try budget.take(bytes: Int(entry.length), of: path)
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
    /// Whether a zoom may have more: as the header says, or, where that lied, as was found.
    private var isLarge: Bool
    private var budget: WorkBudget
    static let mostGathered = 1_500_000
    /// Columns are counted in so many groups.
    private static let groupBits = 12

    init(
        _ file: PMTilesFile, zooms: ClosedRange<Int>, _ budget: WorkBudget,
        mostGathered: Int = PMTilesTileWalk.mostGathered
    ) {
        self.file = file
        self.budget = budget
        self.mostGathered = mostGathered
        isLarge = file.header.addressedTiles > UInt64(mostGathered)
        tiles = ZoomEntries(file, zooms: zooms, budget)
        entries = tiles
    }

    var strayCount: Int { tiles.strayCount }

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
        guard isLarge else {
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
            guard isLarge || waiting.count + Int(entry.run) <= mostGathered else {
                waiting.removeAll()
                isLarge = true
                tiles = entries
                return try lay()
            }
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

extension TileID {
    /// The tile of a zoom that has that number in a PMTiles archive.
    fileprivate init(curveNumber id: UInt64, zoom: UInt8) {
        let cell = Hilbert.cell(at: id - Self.firstHilbertID(atZoom: zoom), order: zoom)
        self.init(z: zoom, x: cell.x, y: cell.y)
    }
}
