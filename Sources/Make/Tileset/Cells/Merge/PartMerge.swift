import Basics
import Geometry
import TileArchive

/// The tiles of all parts, zoom by zoom and column by column.
struct PartMerge {
    private let parts: [PartTiles]
    /// The square of each part; nil for the tiles above all squares.
    private let squares: [TileID?]

    private static let bytesInBatch = 1 << 18

    init(_ parts: [PartTiles], of squares: [TileID?]) {
        self.parts = parts
        self.squares = squares
    }

    /// Calls `body` with the tiles of a zoom, batch by batch.
    func forEachBatch(at zoom: UInt8, _ body: (MergedTiles) throws -> Void) throws {
        var heap = LeastFirst<Keyed<UInt64, Int>>()
        var windows = PartWindows(parts, zoom: zoom)
        var cursors: [Int: TileCursor] = [:]
        for (index, part) in parts.enumerated() where part.tiles(at: zoom) != nil {
            heap.insert(Keyed(leastKey(of: squares[index], at: zoom), index))
        }
        var tiles = MergedTiles()
        var last: UInt64?
        while let index = heap.removeLeast()?.item {
            // A part is opened when its first tile may come, not before.
            guard var cursor = cursors.removeValue(forKey: index) else {
                guard let held = parts[index].tiles(at: zoom) else { continue }
                let cursor = try TileCursor(index, held, parts[index].reader)
                if let key = cursor.key {
                    cursors[index] = cursor
                    heap.insert(Keyed(key, index))
                }
                continue
            }
            while let key = cursor.key, key <= heap.least?.key ?? .max {
                if let last, key <= last {
                    throw JobError.doesNotAddUp("a tile of zoom \(zoom) is in two cells")
                }
                last = key
                try cursor.take(&tiles, from: &windows)
                if tiles.bytes.count >= Self.bytesInBatch {
                    try body(tiles)
                    tiles = MergedTiles()
                }
            }
            if let key = cursor.key {
                cursors[index] = cursor
                heap.insert(Keyed(key, index))
            }
        }
        if !tiles.tiles.isEmpty { try body(tiles) }
    }

    /// The least key that a tile of a part may have at a zoom.
    private func leastKey(of square: TileID?, at zoom: UInt8) -> UInt64 {
        guard let square, zoom >= square.z else { return 0 }
        let shift = UInt32(zoom - square.z)
        return TileID(z: zoom, x: square.x << shift, y: (square.y + 1) << shift - 1).columnKey
    }
}
