import Geometry

/// A batch of encoded tiles as an archive stores them, one after another.
struct EncodedTiles: Sendable {
    let grid: TileGrid
    var bytes: [UInt8] = []
    private(set) var entries: [Entry] = []

    /// One tile: where its bytes end, and its figures for the report.
    struct Entry: Sendable {
        let tile: TileID
        /// Features, copies in the margin included.
        let features: Int
        var end = 0
        /// A sum over what it shows, where a later job may ask for it.
        var sum: UInt64?
        /// The tile's points and clusters, without the copies.
        var figures: BuildReport.Zoom

        init(tile: TileID, features: Int) {
            self.tile = tile
            self.features = features
            figures = BuildReport.Zoom(zoom: tile.z, tiles: 1)
        }
    }

    mutating func append(_ entry: Entry) {
        var entry = entry
        entry.end = bytes.count
        entries.append(entry)
    }

    /// Calls `body` with each tile and the number of its bytes.
    func forEach(_ body: (Entry, _ bytes: Int) -> Void) {
        var start = 0
        for entry in entries {
            body(entry, entry.end - start)
            start = entry.end
        }
    }
}
