import Geometry

/// The tiles that an earlier job made of a part, found by the sums of what they show. Each worker has its own.
struct FormerTiles: Sendable {
    private var zooms: [UInt8: PartTileReader] = [:]
    /// That of the zoom whose tiles are asked for.
    private var reader: PartTileReader?

    /// Nil if its file is gone or damaged.
    init?(_ path: String, _ job: CellJob) {
        do {
            let part = try PartTiles(path, job)
            for zoom in part.zooms { zooms[zoom.zoom] = try PartTileReader(part, zoom.zoom) }
        } catch {
            return nil
        }
    }

    /// A tile's bytes, if it showed the same.
    mutating func bytes(of tile: TileID, showing sum: UInt64) -> ArraySlice<UInt8>? {
        if reader?.zoom != tile.z { reader = zooms[tile.z] }
        return reader?.bytes(of: tile, showing: sum)
    }
}
