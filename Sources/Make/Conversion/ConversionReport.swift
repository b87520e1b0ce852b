import Geometry
import JSON
import TileArchive

/// The result of a conversion or a join.
public struct ConversionReport: Sendable {
    public internal(set) var tiles = 0
    /// The size of tiles as they are handed to the container: a folder may unpack them.
    public internal(set) var bytes = 0
    /// Tiles that were not gzip and were compressed.
    public internal(set) var packedTiles = 0
    /// Tiles that were written anew, because ids changed or layers were merged.
    public internal(set) var rewrittenTiles = 0
    public internal(set) var leafBlocks = 0
    public internal(set) var clusters = 0
    public internal(set) var zooms: ClosedRange<Int>?
    /// What was left out or changed, and why.
    public internal(set) var notes: [String] = []
    /// The notes about indexes that archives should have and that could not be used.
    public internal(set) var warnings: [String] = []
    /// The columns and rows of the deepest zoom's tiles.
    var deepest: (columns: ClosedRange<UInt32>, rows: ClosedRange<UInt32>)?
    /// What the tiles hold, if they were read.
    private(set) var figures: DrawnFigures?

    public init() {}

    mutating func warn(_ note: String) {
        notes.append(note)
        warnings.append(note)
    }

    mutating func include(_ group: TileGroup, bytes count: Int) {
        tiles += group.count
        bytes += count * group.count
        let zoom = Int(group.first.z)
        let isNew = zooms?.upperBound ?? -1 < zoom
        zooms = (zoom...zoom).hull(zooms)
        guard zoom == zooms?.upperBound else { return }
        guard !isNew, let known = deepest else {
            deepest = (group.columns, group.rows)
            return
        }
        deepest = (known.columns.hull(group.columns), known.rows.hull(group.rows))
    }

    mutating func include(_ more: DrawnFigures) {
        var all = figures.take() ?? DrawnFigures()
        all.merge(more)
        figures = all
    }

    /// The box that the tiles of the deepest zoom cover.
    var deepestBox: LonLatBox? {
        guard let zoom = zooms?.upperBound, let deepest else { return nil }
        let northWest = TileID(
            z: UInt8(zoom), x: deepest.columns.lowerBound, y: deepest.rows.lowerBound
        ).box
        let southEast = TileID(
            z: UInt8(zoom), x: deepest.columns.upperBound, y: deepest.rows.upperBound
        ).box
        return LonLatBox(
            west: northWest.west, south: southEast.south, east: southEast.east,
            north: northWest.north)
    }

    public var json: JSONValue {
        var object = JSONObject()
        object["tiles"] = .integer(Int64(tiles))
        object["tile_bytes"] = .integer(Int64(bytes))
        object["min_zoom"] = zooms.map { .integer(Int64($0.lowerBound)) }
        object["max_zoom"] = zooms.map { .integer(Int64($0.upperBound)) }
        object["packed_tiles"] = .integer(Int64(packedTiles))
        object["rewritten_tiles"] = .integer(Int64(rewrittenTiles))
        object["leaf_blocks"] = .integer(Int64(leafBlocks))
        object["clusters"] = .integer(Int64(clusters))
        object["notes"] = .array(notes.map(JSONValue.string))
        return .object(object)
    }
}
