import Basics
import Geometry
import TileArchive

/// The tiles of all parts, zoom by zoom and column by column, in batches.
struct PartMerge: Sendable {
    private let parts: [PartTiles]
    /// The square of each part; nil for the tiles above all squares.
    private let squares: [TileID?]
    /// The zooms that are left, the first one last.
    private var zooms: [UInt8]
    /// Reads the tiles of one zoom.
    private var reader: ZoomReader?

    private static let bytesInBatch = 1 << 18

    init(_ parts: [PartTiles], of squares: [TileID?], zooms: ClosedRange<UInt8>) {
        self.parts = parts
        self.squares = squares
        self.zooms = zooms.reversed()
    }

    /// The next tiles, which are of one zoom; nil after the last.
    mutating func next() throws -> MergedTiles? {
        while true {
            if let batch = try reader?.next(of: Self.bytesInBatch) { return batch }
            guard let zoom = zooms.popLast() else { return nil }
            reader = ZoomReader(parts, of: squares, zoom: zoom)
        }
    }
}

private struct ZoomReader: Sendable {
    private let parts: [PartTiles]
    private let zoom: UInt8
    /// The parts with tiles that are left, by the key of their next tile.
    private var heap = LeastFirst<Keyed<UInt64, Int>>()
    private var cursors: [Int: TileCursor] = [:]
    private let windows: PartWindows
    private var last: UInt64?

    init(_ parts: [PartTiles], of squares: [TileID?], zoom: UInt8) {
        self.parts = parts
        self.zoom = zoom
        windows = PartWindows(parts, zoom: zoom)
        for (index, part) in parts.enumerated() where part.tiles(at: zoom) != nil {
            heap.insert(Keyed(Self.leastKey(of: squares[index], at: zoom), index))
        }
    }

    /// The least key that a tile of a part may have at a zoom.
    private static func leastKey(of square: TileID?, at zoom: UInt8) -> UInt64 {
        guard let square, zoom >= square.z else { return 0 }
        let shift = UInt32(zoom - square.z)
        return TileID(z: zoom, x: square.x << shift, y: (square.y + 1) << shift - 1).columnKey
    }

    /// The next tiles, about as many bytes as requested; nil after the last.
    mutating func next(of byteCount: Int) throws -> MergedTiles? {
        var tiles = MergedTiles()
        while tiles.bytes.count < byteCount, let index = heap.removeLeast()?.item {
            // A part is opened when its first tile may come, not before.
            guard var cursor = cursors.removeValue(forKey: index) else {
                guard let held = parts[index].tiles(at: zoom) else { continue }
                wait(for: try TileCursor(index, held, parts[index].reader), index)
                continue
            }
            while let key = cursor.key, key <= heap.least?.key ?? .max,
                tiles.bytes.count < byteCount
            {
                if let last, key <= last {
                    throw JobError.doesNotAddUp("a tile of zoom \(zoom) is in two cells")
                }
                last = key
                try cursor.take(&tiles, from: windows)
            }
            wait(for: cursor, index)
        }
        return tiles.tiles.isEmpty ? nil : tiles
    }

    /// Keeps a part until its next tile comes.
    private mutating func wait(for cursor: TileCursor, _ index: Int) {
        guard let key = cursor.key else { return }
        cursors[index] = cursor
        heap.insert(Keyed(key, index))
    }
}
