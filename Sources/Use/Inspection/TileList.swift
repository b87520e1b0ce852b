import Basics
import Geometry
import TileArchive

extension Archive {
    /// Calls `body` with each tile and its size, by zoom, column and row from the south. Contents are
    /// not read.
    /// - Parameter box: only tiles that touch this box.
    package func listTiles(
        zooms: ClosedRange<Int> = 0...31, in box: LonLatBox? = nil, _ body: (SizedTile) -> Void
    ) throws(ArchiveError) {
        var scan = try scan(zooms: zooms)
        while let tile = try scan.next() {
            guard box.map({ tile.box.touches($0) }) ?? true else { continue }
            body(SizedTile(tile: tile, bytes: scan.bytes.count))
        }
    }

    /// The largest tiles, largest first; among equals, the earlier one comes first.
    package func heaviestTiles(
        _ count: Int, zooms: ClosedRange<Int> = 0...31
    ) throws(ArchiveError) -> [SizedTile] {
        var heaviest = LeastFirst<SizedTile>()
        func isHeavy(_ tile: SizedTile) -> Bool {
            heaviest.count < count || heaviest.least.map { $0 < tile } ?? false
        }
        var budget = workBudget
        var scan = try scanGroups(zooms: zooms)
        while let group = try scan.next() {
            let bytes = scan.bytes.count
            guard isHeavy(SizedTile(tile: group.first, bytes: bytes)) else { continue }
            try budget.take(tiles: min(group.count, count), of: path)
            for tile in group.firsts(count) {
                let tile = SizedTile(tile: tile, bytes: bytes)
                guard isHeavy(tile) else { continue }
                if heaviest.count < count {
                    heaviest.insert(tile)
                } else {
                    heaviest.replaceLeast(by: tile)
                }
            }
        }
        var tiles: [SizedTile] = []
        while let tile = heaviest.removeLeast() { tiles.append(tile) }
        return tiles.reversed()
    }
}

extension LonLatBox {
    /// Whether two boxes have a point in common; this one must not cross the antimeridian.
    package func touches(_ other: LonLatBox) -> Bool {
        guard south <= other.north, other.south <= north else { return false }
        return other.crossesAntimeridian
            ? east >= other.west || west <= other.east
            : east >= other.west && west <= other.east
    }
}
