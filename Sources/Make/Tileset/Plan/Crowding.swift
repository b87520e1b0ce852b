import Clustering
import Geometry
import Points
import Recipes

/// Where tiles past the cluster zooms would be too full, so that their points are taken together there
/// too. All other points stand apart as soon as the cluster zooms end.
///
/// A tile is crowded if more points lie in it than it may show; all tiles around it are then crowded as
/// well. A point takes part in clusters from the deepest zoom on at which its tile is crowded.
struct Crowding {
    /// How many points a tile may show.
    let limit: Int
    /// The zooms past the cluster zooms.
    let zooms: ClosedRange<Int>

    /// How many points a tile may show, by their number and by about how many bytes each takes.
    static func limit(_ options: TileOptions, featureBytes: Double) -> Int {
        min(options.maxFeatures ?? .max, max(1, Int(Double(options.maxBytes) / featureBytes)))
    }

    /// Looks at all points of a layer; nil if no tile is crowded.
    init?(
        of table: PointTable, named name: String, zooms: ClosedRange<Int>, wraps: Bool,
        _ tiles: TileOptions
    ) {
        let screen = CrowdScreen(tiles, featureBytes: ZoomPlan.featureBytes(of: [table]))
        let full = FullTiles(
            of: table, at: UInt8(zooms.lowerBound), limit: screen.limit, wraps: wraps)
        guard let fullest = full.fullest,
            let limit = Self.pointLimit(
                of: table, named: name, fullestTile: full.rows(in: fullest.tile), tiles)
        else { return nil }
        self.init(limit: limit, zooms: zooms)
    }

    init(limit: Int, zooms: ClosedRange<Int>) {
        self.limit = limit
        self.zooms = zooms
    }

    /// From which zoom on the points of a layer take part in clusters.
    func entryZooms(of table: PointTable, wraps: Bool) -> EntryZooms {
        var entries = EntryZooms(usual: zooms.lowerBound - 1, count: table.count)
        forEachZoom(of: table, wraps: wraps) { full in
            for row in full.rows { entries.set(Int(row), to: Int(full.zoom)) }
        }
        return entries
    }

    /// Calls `body` with the crowded tiles of one zoom after another.
    func forEachZoom(of table: PointTable, wraps: Bool, _ body: (FullTiles) -> Void) {
        var full = FullTiles(
            of: table, at: UInt8(zooms.lowerBound), limit: limit, wraps: wraps)
        for zoom in zooms {
            full.descend(to: UInt8(zoom))
            guard !full.tiles.isEmpty else { return }
            body(full)
        }
    }

    /// How many points a tile of a layer may show; nil if the fullest shows no more.
    /// - Parameter rows: the points of the fullest tile.
    static func pointLimit(
        of table: PointTable, named name: String, fullestTile rows: [Int], _ tiles: TileOptions
    ) -> Int? {
        var limit = tiles.maxFeatures ?? .max
        let bytes = SampleTile.bytes(
            of: table, named: name, rows: rows, compression: tiles.compression)
        if bytes > tiles.maxBytes { limit = min(limit, rows.count * tiles.maxBytes / bytes) }
        return rows.count > limit ? max(limit, 1) : nil
    }
}

/// What can be said of a tile by its number of points alone.
struct CrowdScreen {
    /// Tiles of no more points are not crowded, whatever these carry.
    let limit: Int

    init(_ tiles: TileOptions, featureBytes: Double) {
        // A point with its attributes seldom compresses to less than a sixth of the limit's share.
        let fewest = Int(Double(tiles.maxBytes) / 3 / featureBytes)
        limit = min(tiles.maxFeatures ?? .max, fewest)
    }
}
