import Geometry
import TileArchive

/// The tiles of an archive and their sizes, without a look into them.
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

    /// The largest tiles, largest first; of equals the one that comes first.
    public func heaviest(_ count: Int) throws(ArchiveError) -> [SizedTile] {
        var heaviest: [SizedTile] = []
        var least = 0
        try forEach { tile in
            guard count > 0, heaviest.count < count || tile.bytes > least else { return }
            let index = heaviest.firstIndex { $0.bytes < tile.bytes } ?? heaviest.count
            heaviest.insert(tile, at: index)
            if heaviest.count > count { heaviest.removeLast() }
            least = heaviest[heaviest.count - 1].bytes
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
