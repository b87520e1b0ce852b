import Geometry
import Inspection
import TileArchive

/// The tiles that differ between two archives.
enum ChangedTiles {
    /// Compares the archives, and calls `tell` with each tile that differs.
    static func list(
        _ a: Archive, _ b: Archive, tell: (TileID, TileChange) -> Void
    ) throws(ArchiveError) -> ArchiveDifference {
        // An entry of either archive may stand for any number of tiles.
        var (left, right) = (a.workBudget, b.workBudget)
        return try ArchiveDifference(a, b) { (group, change) throws(ArchiveError) in
            if change != .added { try left.take(tiles: group.count, of: a.path) }
            if change != .removed { try right.take(tiles: group.count, of: b.path) }
            for tile in group.tiles { tell(tile, change) }
        }
    }

    /// The line for a tile in a list of changes.
    static func line(_ tile: TileID, _ change: TileChange) -> String {
        "\(tile)\t\(change)"
    }
}
