import Basics
import Points
import Geometry
import Platform
import TileArchive

/// The tiles of a part of the world in a file.
struct PartTiles: Sendable {
    let path: String
    /// The square whose tiles it holds; nil for those above the cut.
    let cell: TileID?
    /// What it draws.
    let drawn: DrawnBoxes
    /// How many tiles of each zoom were left out.
    let leftOut: [UInt8: Int]
    /// Where the index of each zoom begins.
    private let offsets: [UInt8: Int]
    private let reader: JobFileReader

    init(_ path: String, _ cell: TileID?, _ job: CellJob) throws {
        self.path = path
        self.cell = cell
        var (reader, _) = try job.read(path)
        self.reader = reader
        let size = (try? FileStatus(of: path).size) ?? 0
        guard size > JobFile.headSize + 24 else { throw JobError.damaged(path: path) }
        var last = BlockSource(try reader.bytes(size - 24..<size - 16))
        let start = try reader.decode { () throws(BlockSource.Damaged) in try last.int() }
        guard (JobFile.headSize..<size).contains(start) else {
            throw JobError.damaged(path: path)
        }
        reader.seek(to: start)
        var source = try reader.block()
        (drawn, offsets, leftOut) = try reader.decode { () throws(BlockSource.Damaged) in
            (try source.drawnBoxes(), try source.numbersByZoom(), try source.numbersByZoom())
        }
    }

    func bytes(_ range: Range<Int>) throws(JobError) -> [UInt8] { try reader.bytes(range) }

    func has(_ zoom: UInt8) -> Bool { offsets[zoom] != nil }

    func index(of zoom: UInt8) throws -> TileIndex {
        guard let offset = offsets[zoom] else { return TileIndex(zoom: zoom) }
        var reader = reader
        reader.seek(to: offset)
        var source = try reader.block()
        return try reader.decode { () throws(BlockSource.Damaged) in
            try source.tileIndex(zoom: zoom)
        }
    }

    /// The least key that a tile of the part can have at a zoom.
    func leastKey(at zoom: UInt8, _ order: TileOrder) -> UInt64 {
        guard let cell, zoom >= cell.z else { return 0 }
        let shift = zoom - cell.z
        switch order {
        case .alongHilbertCurve:
            return Hilbert.distance(x: cell.x, y: cell.y, order: cell.z) << (2 * UInt64(shift))
        case .byColumn:
            let last = TileID(
                z: zoom, x: cell.x << UInt32(shift),
                y: (cell.y + 1) << UInt32(shift) - 1)
            return last.key(in: .byColumn)
        }
    }
}

extension TileID {
    /// Its number among the tiles of its zoom.
    func key(in order: TileOrder) -> UInt64 {
        switch order {
        case .alongHilbertCurve: Hilbert.distance(x: x, y: y, order: z)
        case .byColumn: UInt64(x) << 32 | UInt64(tmsRow)
        }
    }
}

/// The tiles of all parts, zoom by zoom, in the order in which an archive wants them.
struct PartMerge {
    private let parts: [PartTiles]
    private let order: TileOrder

    private static let bytesInBatch = 1 << 18

    init(_ parts: [PartTiles], order: TileOrder) {
        self.parts = parts
        self.order = order
    }

    /// What all of them draw.
    var drawn: DrawnBoxes {
        var drawn = DrawnBoxes()
        for part in parts { drawn.include(part.drawn) }
        return drawn
    }

    /// Calls `body` with some tiles after others.
    func forEachBatch(of grid: TileGrid, _ body: (EncodedTiles) throws -> Void) throws {
        var heap = LeastFirst<Keyed<UInt64, Int>>()
        var windows = PartWindows(parts, order: order)
        var cursors: [Int: TileCursor] = [:]
        for (index, part) in parts.enumerated() where part.has(grid.zoom) {
            heap.insert(Keyed(part.leastKey(at: grid.zoom, order), index))
        }
        var tiles = EncodedTiles(grid: grid)
        var last: UInt64?
        while let index = heap.removeLeast()?.item {
            // A part is looked into when its first tile may come, not before.
            guard var cursor = cursors.removeValue(forKey: index) else {
                let cursor = try TileCursor(index, of: parts, zoom: grid.zoom, order)
                if let key = cursor.key {
                    cursors[index] = cursor
                    heap.insert(Keyed(key, index))
                }
                continue
            }
            while let key = cursor.key, key <= heap.least?.key ?? .max {
                if let last, key <= last {
                    throw JobError.doesNotAddUp("a tile of zoom \(grid.zoom) is in two cells")
                }
                last = key
                try cursor.take(&tiles, from: &windows)
                if tiles.bytes.count >= Self.bytesInBatch {
                    try body(tiles)
                    tiles = EncodedTiles(grid: grid)
                }
            }
            if let key = cursor.key {
                cursors[index] = cursor
                heap.insert(Keyed(key, index))
            }
        }
        if !tiles.entries.isEmpty { try body(tiles) }
    }
}

extension BlockSource {
    /// A number for each of some zooms.
    fileprivate mutating func numbersByZoom() throws(Damaged) -> [UInt8: Int] {
        var numbers: [UInt8: Int] = [:]
        for _ in 0..<max(0, try int()) {
            let zoom = try int()
            numbers[UInt8(truncatingIfNeeded: zoom)] = try int()
        }
        return numbers
    }
}
