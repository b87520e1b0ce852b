import Geometry
import TileArchive

/// Walks over the tiles of one zoom in one part, column by column.
struct TileCursor {
    /// Which part it is.
    private let part: Int
    private let index: TileIndex
    /// Where each tile begins in the stream.
    private var offsets: [Int] = []
    /// The tiles by their keys.
    private var order: [(key: UInt64, tile: Int)] = []
    private var next = 0
    private var window = PartWindows.Window()

    init(_ part: Int, _ zoom: PartZoom, _ reader: JobFileReader) throws {
        self.part = part
        index = try zoom.read(reader)
        order.reserveCapacity(index.count)
        offsets.reserveCapacity(index.count + 1)
        var offset = 0
        for tile in 0..<index.count {
            offsets.append(offset)
            offset += Int(index.lengths[tile])
            order.append((index.tile(tile).columnKey, tile))
        }
        offsets.append(offset)
        order.sort { $0.key < $1.key }
    }

    /// The key of the next tile; nil behind the last.
    var key: UInt64? { next < order.count ? order[next].key : nil }

    /// Adds the next tile.
    mutating func take(_ tiles: inout MergedTiles, from windows: inout PartWindows) throws {
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

/// Some tiles as an archive keeps them, one behind another.
struct MergedTiles {
    var bytes: [UInt8] = []
    private(set) var tiles: [TileID] = []
    /// Where the bytes of each end.
    private(set) var ends: [Int] = []

    mutating func append(_ tile: TileID) {
        tiles.append(tile)
        ends.append(bytes.count)
    }
}

/// Blocks of the streams of a zoom.
///
/// Tiles lie along the Hilbert curve. A walk column by column goes from one block to the next with almost every tile and
/// comes back to each soon, so what was read is kept for a while.
struct PartWindows {
    struct Window {
        fileprivate var start = 0
        fileprivate var content: ArraySlice<UInt8> = []

        func holds(_ offset: Int) -> Bool { start..<start + content.count ~= offset }

        /// What it has of a stretch.
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
    /// Those that were asked for since half of them went, and those that go next.
    private var young: [Key: Window] = [:]
    private var old: [Key: Window] = [:]

    /// In both halves: 64 MB.
    private static let most = 2_048

    init(_ parts: [PartTiles], zoom: UInt8) {
        self.parts = parts.map { part in part.tiles(at: zoom).map { ($0, part.reader) } }
    }

    /// The block that has a byte of a part's stream.
    mutating func window(of part: Int, at offset: Int) throws -> Window {
        let block = offset / JobStream.blockSize
        let key = Key(part: part, block: block)
        if let window = young[key] { return window }
        let window = try old[key] ?? read(block, of: part)
        if young.count >= Self.most / 2 {
            old = young
            young = [:]
        }
        young[key] = window
        return window
    }

    private func read(_ block: Int, of part: Int) throws -> Window {
        guard let (zoom, reader) = parts[part] else { return Window() }
        let start = block * JobStream.blockSize
        let end = min(start + JobStream.blockSize, zoom.stream.count)
        return Window(start: start, content: try zoom.stream.bytes(start..<end, in: reader))
    }
}
