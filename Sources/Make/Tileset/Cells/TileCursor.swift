import TileArchive

/// Walks over the tiles of one zoom in one part.
struct TileCursor {
    /// Which part it is.
    private let part: Int
    private let index: TileIndex
    /// The tiles by their keys.
    private let order: [(key: UInt64, tile: Int)]
    private var next = 0
    private var window = PartWindows.Window()

    init(_ part: Int, of parts: [PartTiles], zoom: UInt8, _ order: TileOrder) throws {
        self.part = part
        index = try parts[part].index(of: zoom)
        var keys: [(key: UInt64, tile: Int)] = []
        keys.reserveCapacity(index.count)
        for tile in 0..<index.count { keys.append((index.tile(tile).key(in: order), tile)) }
        if order != .byColumn { keys.sort { $0.key < $1.key } }
        self.order = keys
    }

    /// The key of the next tile; nil behind the last.
    var key: UInt64? { next < order.count ? order[next].key : nil }

    /// Adds the next tile.
    mutating func take(_ tiles: inout EncodedTiles, from windows: inout PartWindows) throws {
        let tile = order[next].tile
        next += 1
        let start = index.columns.offset[tile]
        let end = start + Int(index.columns.length[tile])
        if !window.holds(start..<end) { window = try windows.window(of: part, with: start..<end) }
        let bytes = try window.bytes(start..<end, in: windows.path(of: part))
        guard ByteSum.of(bytes.span) == index.columns.sum[tile] else {
            throw JobError.damaged(path: windows.path(of: part))
        }
        tiles.bytes += bytes
        tiles.append(index.entry(tile))
    }
}

/// Stretches of the parts' files.
///
/// A part holds the tiles of a zoom column by column. A walk along the Hilbert curve goes from one column
/// to the next with almost every tile and comes back to each soon, so what was read is kept for a while.
struct PartWindows {
    struct Window {
        fileprivate var start = 0
        fileprivate var content: [UInt8] = []

        func holds(_ range: Range<Int>) -> Bool {
            range.lowerBound >= start && range.upperBound <= start + content.count
        }

        func bytes(_ range: Range<Int>, in path: String) throws -> ArraySlice<UInt8> {
            guard holds(range) else { throw JobError.damaged(path: path) }
            return content[range.lowerBound - start..<range.upperBound - start]
        }
    }

    private struct Key: Hashable {
        let part: Int
        let number: Int
    }

    private let parts: [PartTiles]
    /// Those that were asked for since half of them went, and those that go next.
    private var young: [Key: Window] = [:]
    private var old: [Key: Window] = [:]
    private let mostYoung: Int

    private static let size = 1 << 15
    /// In both halves: 64 MB.
    private static let most = 2_048

    init(_ parts: [PartTiles], order: TileOrder) {
        self.parts = parts
        // Column by column nothing is read twice.
        mostYoung = order == .byColumn ? 0 : Self.most / 2
    }

    func path(of part: Int) -> String { parts[part].path }

    /// A window that holds the part of a range that the file has.
    mutating func window(of part: Int, with range: Range<Int>) throws -> Window {
        let number = range.lowerBound / Self.size
        guard range.upperBound <= (number + 1) * Self.size, mostYoung > 0 else {
            let end = max(range.upperBound, range.lowerBound + (mostYoung > 0 ? 0 : Self.size))
            return try read(range.lowerBound..<end, of: part)
        }
        let key = Key(part: part, number: number)
        if let window = young[key] { return window }
        let start = number * Self.size
        let window = try old[key] ?? read(start..<start + Self.size, of: part)
        if young.count >= mostYoung {
            old = young
            young = [:]
        }
        young[key] = window
        return window
    }

    private func read(_ range: Range<Int>, of part: Int) throws -> Window {
        Window(start: range.lowerBound, content: try parts[part].bytes(range))
    }
}
