import Geometry

/// The tiles of an archive to take: a range of zooms and, at each, the tiles that touch a box.
public struct TileSelection: Sendable {
    public let zooms: ClosedRange<Int>
    public let box: LonLatBox?
    /// By zoom: the columns, in two ranges for a box over the antimeridian, and the rows.
    private let ranges: [(columns: [ClosedRange<UInt32>], rows: ClosedRange<UInt32>)]

    public init(zooms: ClosedRange<Int> = 0...31, box: LonLatBox? = nil) {
        self.zooms = zooms
        self.box = box
        guard let box else {
            ranges = []
            return
        }
        let northWest = WorldPoint(LonLat(longitude: box.west, latitude: box.north))
        let southEast = WorldPoint(LonLat(longitude: box.east, latitude: box.south))
        ranges = (0...TileID.deepestZoom).map { zoom in
            let first = TileID(holding: northWest, zoom: zoom)
            let last = TileID(holding: southEast, zoom: zoom)
            let end = UInt32((UInt64(1) << UInt64(zoom)) - 1)
            let columns =
                box.crossesAntimeridian
                ? [first.x...end, 0...last.x] : [first.x...max(first.x, last.x)]
            return (columns, first.y...max(first.y, last.y))
        }
    }

    /// Where it looks for tiles; empty if it takes all.
    var words: String {
        [box == nil ? nil : "in that box", zooms == 0...31 ? nil : "at those zooms"]
            .compactMap(\.self).joined(separator: " and ")
    }

    public func contains(_ tile: TileID) -> Bool {
        guard zooms.contains(Int(tile.z)) else { return false }
        guard !ranges.isEmpty else { return true }
        let range = ranges[Int(tile.z)]
        return range.rows.contains(tile.y) && range.columns.contains { $0.contains(tile.x) }
    }
}
