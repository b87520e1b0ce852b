import Geometry
import TileArchive

/// The set of a folder's tiles. A host can only answer 404 for a missing tile, and browsers log
/// that as an error; a page with this set need not ask.
///
/// There is a byte for each tile above the deepest zoom that exists or has one below it: zoom by
/// zoom, and within a zoom along the Morton curve. Bits 0 to 3 say which quarters (north-west,
/// north-east, south-west, south-east) have any tile, bit 4 whether the tile itself exists.
package struct TileTree {
    package let bytes: [UInt8]

    /// The most tiles: with more, the file would be large, and such a set of tiles should be a single file anyway.
    private static let mostTiles = 4_000_000

    /// - Returns: nil if there are too many tiles.
    package init?(of archive: Archive, deepest: Int) throws(ArchiveError) {
        var codes = [[UInt64]](repeating: [], count: deepest + 1)
        var count = 0
        let scan = try archive.scanNumbers(zooms: 0...deepest)
        while let tile = try scan.next() {
            count += 1
            guard count <= Self.mostTiles else { return nil }
            codes[Int(tile.z)].append(Self.code(of: tile))
        }
        self.init(codes: codes.map { $0.sorted() })
    }

    /// - Parameter codes: the codes of the tiles of each zoom, sorted.
    private init(codes: [[UInt64]]) {
        var levels: [[UInt8]] = []
        var below = codes.last ?? []
        for own in codes.dropLast().reversed() {
            var nodes: [UInt64] = []
            var level: [UInt8] = []
            var (next, nextBelow) = (0, 0)
            while next < own.count || nextBelow < below.count {
                let node = min(
                    next < own.count ? own[next] : .max,
                    nextBelow < below.count ? below[nextBelow] >> 2 : .max)
                var byte: UInt8 = 0
                while nextBelow < below.count, below[nextBelow] >> 2 == node {
                    byte |= 1 << UInt8(below[nextBelow] & 3)
                    nextBelow += 1
                }
                while next < own.count, own[next] == node {
                    byte |= 1 << 4
                    next += 1
                }
                nodes.append(node)
                level.append(byte)
            }
            levels.append(level)
            below = nodes
        }
        bytes = levels.reversed().flatMap { $0 }
    }

    /// Its number on the Morton curve: the bits of row and column, interleaved.
    private static func code(of tile: TileID) -> UInt64 {
        var code: UInt64 = 0
        for bit in 0..<UInt64(tile.z) {
            let column = UInt64(tile.x) >> bit & 1
            let row = UInt64(tile.y) >> bit & 1
            code |= (row << 1 | column) << (2 * bit)
        }
        return code
    }
}
