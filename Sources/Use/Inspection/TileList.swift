import Geometry
import TileArchive

/// The tiles of an archive and their sizes, without reading their contents.
public struct TileList: Sendable {
    private let archive: Archive
    private let zooms: ClosedRange<Int>
    private let box: LonLatBox?

    /// - Parameter box: only tiles that touch this box.
    public init(_ archive: Archive, zooms: ClosedRange<Int> = 0...31, box: LonLatBox? = nil) {
        self.archive = archive
        self.zooms = zooms
        self.box = box
    }

    /// Calls `body` with each tile, by zoom, column and row from the south.
    public func forEach(_ body: (SizedTile) -> Void) throws(ArchiveError) {
        var scan = try archive.scan(zooms: zooms)
        while let tile = try scan.next() {
            guard box.map({ tile.box.touches($0) }) ?? true else { continue }
            body(SizedTile(tile, bytes: scan.bytes.count))
        }
    }

    /// The largest tiles, largest first; among equals, the earlier one comes first.
    public func heaviest(_ count: Int) throws(ArchiveError) -> [SizedTile] {
        var heaviest: [SizedTile] = []
        func include(_ tile: SizedTile) {
            guard heaviest.count < count || heaviest.last.map(tile.comesBeforeInSize) ?? false
            else { return }
            let index = heaviest.firstIndex(where: tile.comesBeforeInSize) ?? heaviest.count
            heaviest.insert(tile, at: index)
            if heaviest.count > count { heaviest.removeLast() }
        }
        guard box == nil else {
            try forEach(include)
            return heaviest
        }
        var budget = archive.workBudget
        var scan = try archive.scanGroups(zooms: zooms)
        while let group = try scan.next() {
            let first = SizedTile(group.first, bytes: scan.bytes.count)
            guard heaviest.count < count || heaviest.last.map(first.comesBeforeInSize) ?? false
            else { continue }
            try budget.take(tiles: min(group.count, count), of: archive.path)
            for tile in group.firsts(count) { include(SizedTile(tile, bytes: first.bytes)) }
        }
        return heaviest
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
