import Points
import Recipes

/// The deepest zoom that the data asks for.
///
/// Deep enough that maps draw every point where it is, to the precision that was asked for; that the
/// fullest tile keeps within the size limit; and that markers mostly stand apart. But for the sake of
/// the latter two not so deep that most tiles hold a single point: maps magnify the deepest tiles.
struct ZoomChoice {
    let zoom: UInt8
    /// The choice in one line.
    let reason: String

    /// Data are not deeper than this, but for the precision of a survey.
    private static let deepest: UInt8 = 18
    /// Tiles this few cost nothing, however empty they are.
    private static let freeTiles = 4_096

    init(_ occupancy: Occupancy, _ options: TileOptions, featureBytes: Double) {
        let limit = Self.limit(options, featureBytes: featureBytes)
        let precise = Self.preciseZoom(options, occupancy.nearestToEquator)
        // A clustered layer needs a zoom at which its points are shown.
        let least = max(precise, min(options.minZoom + 1, Self.deepest))
        var zoom = least
        var cause = Self.cause(occupancy, zoom, limit)
        while zoom < Self.deepest, cause != nil {
            if occupancy.tiles(at: zoom + 1).count
                > max(Self.freeTiles, occupancy.pointCount / 2)
            {
                cause = "one deeper, most tiles would hold a single point"
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

    /// About how many points a tile may show, where each takes so many bytes.
    private static func limit(_ options: TileOptions, featureBytes: Double) -> Int {
        min(options.maxFeatures ?? .max, max(1, Int(Double(options.maxBytes) / featureBytes)))
    }

    /// What a zoom that was asked for comes to: how far off maps draw its points, and which zoom
    /// would do better.
    /// - Parameter latitude: the one nearest to the equator that has a point.
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

    /// The shallowest zoom that is as precise as was asked for, or the deepest there is.
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
        let asked = options.metres < metres ? ", the best there is" : ""
        return "maps draw its points within \(DrawnPrecision.text(metres)) of where they are"
            + exception(options) + asked
    }

    /// How far points go that are drawn apart is known when all is clustered.
    private static func exception(_ options: TileOptions) -> String {
        options.spread == nil ? "" : " but for those that are drawn apart"
    }

    /// What a zoom leaves to be desired; nil if nothing.
    private static func cause(_ occupancy: Occupancy, _ zoom: UInt8, _ limit: Int) -> String? {
        if occupancy.tiles(at: zoom).densest > limit { return "its fullest tile is over the limit" }
        // Apart is when three of four have a cell alone, of those that any zoom tells apart.
        let cells = occupancy.markers(at: zoom).cells
        return Double(cells) < 0.75 * Double(occupancy.positionCount)
            ? "markers still crowd" : nil
    }
}

extension Occupancy {
    /// How markers stand at a zoom that leaves nothing more to be desired.
    fileprivate func standing(at zoom: UInt8) -> String {
        let alone = markers(at: zoom).alone
        if 2 * alone > pointCount { return "markers mostly stand apart there" }
        return "\(pointCount - positionCount) of \(pointCount) points share a position with others"
    }
}
