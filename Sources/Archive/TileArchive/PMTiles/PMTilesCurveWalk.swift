import Geometry

/// Goes through the tiles of a PMTiles archive in stored order: zoom by zoom along the Hilbert curve.
final class PMTilesCurveWalk: TileWalk {
    private var tiles: ZoomEntries
    private var window: ReadAhead
    private var entry = PMTilesDirectory.Entry(id: 0, offset: 0, length: 0, run: 0)
    /// How many tiles of the entry's run have been returned.
    private var given: UInt32 = 0
    private var budget: WorkBudget
    private var isChecked = false
    private let path: String

    init(_ file: PMTilesFile, zooms: ClosedRange<Int>, _ budget: WorkBudget) {
        tiles = ZoomEntries(file, zooms: zooms)
        self.budget = budget
        path = file.source.path
        window = ReadAhead(file)
    }

    func next(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileID? {
        try tiles.check(budget, once: &isChecked)
        guard try hasTile() else { return nil }
        if given == 0 { try budget.take(tiles: Int(entry.run), of: path) }
        try read(&bytes)
        defer { given += 1 }
        return entry.dropping(Int(given)).run(atZoom: tiles.zoom).first
    }

    func nextGroup(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileGroup? {
        guard try hasTile() else { return nil }
        try read(&bytes)
        let rest = entry.dropping(Int(given))
        given = entry.run
        try budget.count(bytes: bytes.count, times: Int(rest.run), of: path)
        return TileGroup([rest.run(atZoom: tiles.zoom)])
    }

    /// Whether there is a tile; moves on to the next entry if necessary.
    private func hasTile() throws(ArchiveError) -> Bool {
        guard given == entry.run else { return true }
        repeat {
            guard let next = try tiles.next() else { continue }
            (entry, given) = (next, 0)
            return true
        } while try tiles.nextZoom()
        return false
    }

    private func read(_ bytes: inout [UInt8]) throws(ArchiveError) {
        try budget.take(bytes: Int(entry.length), of: path)
        try window.read(entry, &bytes)
    }
}
