import Recipes

/// The deepest zoom that the data asks for.
///
/// Deep enough that the fullest tile keeps within the size limit and that markers mostly stand
/// apart, but not so deep that most tiles hold a single point: maps magnify the deepest tiles.
struct ZoomChoice {
    let zoom: UInt8
    /// The choice in one line.
    let reason: String

    /// Deeper than this nobody's data is.
    private static let deepest: UInt8 = 18
    /// Tiles this few cost nothing, however empty they are.
    private static let freeTiles = 4_096

    init(_ occupancy: Occupancy, _ options: TileOptions, featureBytes: Double) {
        let limit = Crowding.limit(options, featureBytes: featureBytes)
        let places = occupancy.tiles(at: HilbertSort.deepest).count
        var zoom = options.minZoom
        var tiles = occupancy.tiles(at: zoom)
        var cause = Self.cause(occupancy, zoom, tiles, limit, places)
        while zoom < Self.deepest, cause != nil {
            let next = occupancy.tiles(at: zoom + 1)
            if next.count > max(Self.freeTiles, occupancy.pointCount / 2) {
                cause = "one deeper, most tiles would hold a single point"
                break
            }
            zoom += 1
            tiles = next
            cause = Self.cause(occupancy, zoom, tiles, limit, places)
        }
        // A clustered layer needs a zoom at which its points are shown.
        self.zoom = max(zoom, min(options.minZoom + 1, Self.deepest))
        reason =
            "deepest zoom \(self.zoom) (auto): its fullest tile holds \(tiles.densest) points; "
            + (cause ?? "markers mostly stand apart there")
    }

    /// What a zoom leaves to be desired; nil if nothing.
    private static func cause(
        _ occupancy: Occupancy, _ zoom: UInt8, _ tiles: Occupancy.Tiles, _ limit: Int,
        _ places: Int
    ) -> String? {
        if tiles.densest > limit { return "its fullest tile is over the limit" }
        // Cells of 32 pixels, about a marker: apart is when three of four have theirs alone.
        let cells = occupancy.tiles(at: min(zoom + 4, HilbertSort.deepest)).count
        return Double(cells) < 0.75 * Double(places) ? "markers still crowd" : nil
    }
}
