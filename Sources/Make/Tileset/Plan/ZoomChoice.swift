import Points
import Recipes

/// The deepest zoom that the data asks for.
///
/// So deep that maps draw every point where it is, to the requested precision; that the fullest
/// tile is within the size limit; and that markers mostly stand apart. But for the latter two, not
/// so deep that most tiles hold a single point: maps magnify the deepest tiles.
struct ZoomChoice {
    let zoom: UInt8
    /// The choice in one line.
    let reason: String

    /// The deepest zoom that is chosen, unless the requested precision needs a deeper one.
    private static let deepest: UInt8 = 18
    /// So few tiles cost next to nothing, however empty they are.
    private static let freeTiles = 4_096

    init(_ occupancy: Occupancy, _ options: TileOptions, featureBytes: Double) {
        let limit = Self.limit(options, featureBytes: featureBytes)
        let precise = Self.preciseZoom(options, occupancy.nearestToEquator)
        // Layers with clusters or bins need a zoom at which their points are shown.
        let first = max(options.minZoom, options.binsMaxZoom.map(UInt8.init) ?? 0)
        let least = max(precise, min(first + 1, Self.deepest))
        var zoom = least
        var cause = Self.cause(occupancy, zoom, limit)
        while zoom < Self.deepest, cause != nil {
            if occupancy.tiles(at: zoom + 1).cells
                > max(Self.freeTiles, occupancy.pointCount / 2)
            {
                cause = "one zoom deeper, most tiles would hold a single point"
                break
            }
            zoom += 1
            cause = Self.cause(occupancy, zoom, limit)
        }
        self.zoom = zoom
        let densest = occupancy.tiles(at: zoom).densest
        reason = [
            "deepest zoom \(zoom) (auto): \(Self.precision(options, zoom, occupancy))",
            "its fullest tile holds \(densest) \(densest == 1 ? "point" : "points")",
            cause ?? occupancy.standing(at: zoom),
        ].joined(separator: "; ")
    }

    /// About how many points a tile may show, if each takes a number of bytes.
    private static func limit(_ options: TileOptions, featureBytes: Double) -> Int {
        min(options.maxFeatures ?? .max, max(1, Int(Double(options.maxBytes) / featureBytes)))
    }

    /// What a requested zoom amounts to: how far from their places maps draw its points, and which
    /// zoom would be better.
    /// - Parameter latitude: the latitude of the point nearest to the equator.
    static func words(
        for zoom: UInt8, _ options: TileOptions, latitude: Double
    ) -> String {
        let metres = DrawnPrecision(ofDeepest: zoom, options).metres(at: latitude)
        var words =
            "deepest zoom \(zoom) (as asked): maps draw its points within "
            + "\(DrawnPrecision.text(metres)) of where they are" + exception(options)
        let better = preciseZoom(options, latitude)
        if better > zoom {
            words += "; zoom \(better) would keep within \(DrawnPrecision.text(options.metres))"
        }
        return words
    }

    /// The shallowest zoom with the requested precision, or the deepest possible.
    private static func preciseZoom(_ options: TileOptions, _ latitude: Double) -> UInt8 {
        let zooms = options.minZoom...TileOptions.deepestZoom
        return zooms.first { zoom in
            DrawnPrecision(ofDeepest: zoom, options).metres(at: latitude) <= options.metres
        } ?? TileOptions.deepestZoom
    }

    private static func precision(
        _ options: TileOptions, _ zoom: UInt8, _ occupancy: Occupancy
    ) -> String {
        let metres = DrawnPrecision(ofDeepest: zoom, options).metres(
            at: occupancy.nearestToEquator)
        let asked = options.metres < metres ? ", the best possible" : ""
        return "maps draw its points within \(DrawnPrecision.text(metres)) of where they are"
            + exception(options) + asked
    }

    /// How far points are drawn apart is only known when all are clustered.
    private static func exception(_ options: TileOptions) -> String {
        options.spread == nil ? "" : " except those that are drawn apart"
    }

    /// The shortcoming of a zoom; nil if there is none.
    private static func cause(_ occupancy: Occupancy, _ zoom: UInt8, _ limit: Int) -> String? {
        if occupancy.tiles(at: zoom).densest > limit { return "its fullest tile is over the limit" }
        // Markers stand apart if three of four have a cell of their own, among those that any zoom can separate.
        let cells = occupancy.markers(at: zoom).cells
        return Double(cells) < 0.75 * Double(occupancy.positionCount)
            ? "markers still crowd" : nil
    }
}

extension Occupancy {
    /// The state of markers at a zoom without shortcomings.
    fileprivate func standing(at zoom: UInt8) -> String {
        let alone = markers(at: zoom).alone
        if 2 * alone > pointCount { return "markers mostly stand apart there" }
        let positions = positionCount == 1 ? "one position" : "\(positionCount) positions"
        return "its \(pointCount) points are at \(positions)"
    }
}
