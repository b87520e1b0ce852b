import Geometry
import SQLite
import TileArchive

/// Finds tiles that are missing although the index has clusters in them, at the zooms that do not
/// show what the index has.
struct MissingTiles {
    let archive: Archive

    /// Only so many are looked for.
    private static let most = 1_000

    /// - Complexity: O(clusters · zooms), without memory for either.
    func find(at zooms: [Int], _ findings: inout FindingList) throws(ArchiveError) {
        guard let least = zooms.first, let most = zooms.last else { return }
        var tiles = try archive.openTiles()
        var found: Set<TileID> = []
        do {
            let database = try Database(path: archive.path, mode: .readOnly)
            var rows = try database.prepare("SELECT id, leaves, x, y, up FROM covey_clusters")
            while try rows.step() {
                guard let row = HierarchyCheck.ClusterRow(rows) else { continue }
                let first = max(row.parent.map { Int($0 & 31) + 1 } ?? 0, least)
                for zoom in zooms where zoom >= first && zoom <= min(row.zoom, most) {
                    let place = GridPoint(x: row.x, y: row.y).worldPoint.wrapped
                    let tile = TileID(holding: place, zoom: UInt8(zoom))
                    guard !found.contains(tile), found.count < Self.most else { continue }
                    if try !tiles.has(tile) { found.insert(tile) }
                }
            }
        } catch let error as ArchiveError {
            throw error
        } catch {
            throw .unreadable(path: archive.path, reason: "\(error)")
        }
        for tile in found.sorted() {
            findings.add(
                .error, "missing-tile",
                "a tile is missing: the index has a cluster in it", at: tile.description)
        }
    }
}

extension TileLookup {
    fileprivate mutating func has(_ tile: TileID) throws(ArchiveError) -> Bool {
        try withTile(at: tile) { _ in true } ?? false
    }
}
