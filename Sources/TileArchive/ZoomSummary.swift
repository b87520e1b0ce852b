import SQLite

/// How many tiles one zoom has, and how large they are as stored.
public struct ZoomSummary: Hashable, Sendable {
    public let zoom: Int
    public private(set) var tiles = 0
    public private(set) var bytes = 0
    public private(set) var largestTile = 0

    init(zoom: Int) { self.zoom = zoom }

    mutating func include(bytes count: Int, times: Int = 1) {
        tiles += times
        bytes += count * times
        largestTile = max(largestTile, count)
    }

    /// Counts in the order of the rows: by the index, every row would be a jump.
    static func all(in database: consuming Database) throws(SQLiteError) -> [ZoomSummary] {
        var rows = try database.prepare("SELECT +zoom_level, length(tile_data) FROM tiles")
        var summaries: [Int: ZoomSummary] = [:]
        while try rows.step() {
            let zoom = Int(rows.integer(at: 0))
            summaries[zoom, default: ZoomSummary(zoom: zoom)].include(
                bytes: Int(rows.integer(at: 1)))
        }
        return summaries.values.sorted { $0.zoom < $1.zoom }
    }
}
