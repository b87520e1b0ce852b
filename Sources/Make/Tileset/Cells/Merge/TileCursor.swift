import Basics
import Geometry
import TileArchive

/// Walks over the tiles of one zoom in one part, column by column.
struct TileCursor: Sendable {
    /// The number of the part.
    private let part: Int
    private let index: TileIndex
    /// The start of each tile in the stream.
    private let offsets: [Int]
    /// The tiles by their keys.
    private var order: [(key: UInt64, tile: Int)]
    private var next = 0
    private var window = PartWindows.Window()

    init(_ part: Int, _ zoom: PartZoom, _ reader: JobFileReader) throws {
        self.part = part
        let index = try zoom.read(reader)
        self.index = index
        offsets = index.offsets
        order = (0..<index.count).map { (index.tile($0).columnKey, $0) }
        order.sort { $0.key < $1.key }
    }

    /// The key of the next tile; nil after the last.
    var key: UInt64? { next < order.count ? order[next].key : nil }

    /// Adds the next tile.
    mutating func take(_ tiles: inout MergedTiles, from windows: PartWindows) throws {
        let tile = order[next].tile
        next += 1
        var rest = offsets[tile]..<offsets[tile + 1]
        while !rest.isEmpty {
            if !window.holds(rest.lowerBound) {
                window = try windows.window(of: part, at: rest.lowerBound)
            }
            let bytes = window.bytes(rest)
            tiles.bytes += bytes
            rest = rest.lowerBound + bytes.count..<rest.upperBound
        }
        tiles.append(index.tile(tile))
    }
}

extension TileID {
    /// Its number among the tiles of its zoom, column by column.
    var columnKey: UInt64 { UInt64(x) << 32 | UInt64(tmsRow) }
}

/// Some tiles in the archive's format, one after another.
struct MergedTiles: Sendable {
    var bytes: [UInt8] = []
    private(set) var tiles: [TileID] = []
    /// The end of each tile's bytes.
    private(set) var ends: [Int] = []

    mutating func append(_ tile: TileID) {
        tiles.append(tile)
        ends.append(bytes.count)
    }
}

/// Blocks of the streams of a zoom.
///
/// Tiles are stored along the Hilbert curve. A walk column by column changes the block with almost
/// every tile and soon comes back to each, so blocks are kept for a while.
struct PartWindows: Sendable {
    struct Window: Sendable {
        fileprivate var start = 0
        fileprivate var content: ArraySlice<UInt8> = []

        func holds(_ offset: Int) -> Bool { start..<start + content.count ~= offset }

        /// The bytes of a stretch that this block has.
        func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> {
            let first = content.startIndex - start
            return content[
                first + range.lowerBound..<min(first + range.upperBound, content.endIndex)]
        }
    }

    private struct Key: Hashable {
        let part: Int
        let block: Int
    }

    private let parts: [(zoom: PartZoom, reader: JobFileReader)?]
    private let blocks = BoundedCache<Key, Window>(budget: 64 << 20) { $0.content.count }

    init(_ parts: [PartTiles], zoom: UInt8) {
        self.parts = parts.map { part in part.tiles(at: zoom).map { ($0, part.reader) } }
    }

    /// The block with a byte of a part's stream.
    func window(of part: Int, at offset: Int) throws -> Window {
        let block = offset / JobStream.blockSize
        return try blocks.value(for: Key(part: part, block: block)) { try read(block, of: part) }
    }

    private func read(_ block: Int, of part: Int) throws -> Window {
        guard let (zoom, reader) = parts[part] else { return Window() }
        let start = block * JobStream.blockSize
        let end = min(start + JobStream.blockSize, zoom.stream.count)
        return Window(start: start, content: try zoom.stream.bytes(start..<end, in: reader))
    }
}
