import Geometry
import SQLite

/// The number of tiles of one zoom, and their stored size.
public struct ZoomSummary: Hashable, Sendable {
    public let zoom: Int
    public private(set) var tiles = 0
    public private(set) var bytes = 0
    public private(set) var largestTile = 0

    init(zoom: Int) { self.zoom = zoom }

    mutating func include(bytes count: Int, times: Int = 1) {
        // A directory may claim any number of tiles of any size.
        tiles = tiles.saturating(adding: times)
        let (product, isTooGreat) = count.multipliedReportingOverflow(by: times)
        bytes = bytes.saturating(adding: isTooGreat ? .max : product)
        largestTile = max(largestTile, count)
    }

    /// Counts in the order of the rows: in the order of the index, every row would be a seek.
    /// - Parameter mostRows: the most rows that are read, since a view may generate them without end.
    static func all(
        in database: consuming Database, mostRows: Int
    ) throws(SQLiteError) -> [ZoomSummary] {
        var rows = try database.prepare(
            "SELECT +zoom_level, length(tile_data) FROM tiles LIMIT \(mostRows)")
        var summaries: [Int: ZoomSummary] = [:]
        while try rows.step() {
            let zoom = Int(rows.integer(at: 0))
            guard (0...Int(TileID.deepestZoom)).contains(zoom) else { continue }
            summaries[zoom, default: ZoomSummary(zoom: zoom)].include(
                bytes: Int(rows.integer(at: 1)))
        }
        return summaries.values.sorted { $0.zoom < $1.zoom }
    }
}

extension Int {
    /// The sum of two counts, or the greatest number.
    func saturating(adding other: Int) -> Int {
        let (sum, isTooGreat) = addingReportingOverflow(other)
        return isTooGreat ? .max : sum
    }
}
