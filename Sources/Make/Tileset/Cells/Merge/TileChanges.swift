import Basics
import Geometry
import TileArchive

/// The tiles that differ from those of the job before.
struct TileChanges {
    struct Tile {
        let tile: TileID
        let change: TileChange
        /// The index of its section.
        fileprivate let section: Int
        fileprivate let bytes: Range<Int>
    }

    private(set) var tiles: [Tile] = []
    /// The tiles of one zoom in one part.
    private var sections: [StreamWindow] = []
    private var byteCount = 0

    /// Compares the parts that were not taken over from the job before.
    /// - Parameter most: the most bytes that may differ.
    /// - Returns: nil if more do.
    init?(_ job: CellJob, after former: FormerJob, most: Int) throws {
        for part in 0...job.levels.numbers.count {
            let place = { IndexPlan.path(ofPart: part, job, in: $0) }
            if former.gave(place, to: job.files) { continue }
            let (old, new) = (
                try PartTiles(place(former.files), job), try PartTiles(place(job.files), job)
            )
            for zoom in Set(old.zooms.map(\.zoom)).union(new.zooms.map(\.zoom)).sorted() {
                try job.checkCancelled()
                try compare(PartTileReader(old, zoom), PartTileReader(new, zoom))
                if byteCount > most { return nil }
            }
        }
    }

    private mutating func compare(_ old: PartTileReader?, _ new: PartTileReader?) throws {
        var (before, now) = (old, new)
        let section = sections.count
        if let new { sections.append(new.window) }
        while true {
            let (a, b) = (before?.place ?? .max, now?.place ?? .max)
            if a == b, a == .max { return }
            if a == b {
                // Tiles that show the same have the same bytes.
                if before?.sum == nil || before?.sum != now?.sum, try !isSame(&before, &now) {
                    add(now, .changed, section)
                }
            } else {
                if a < b { add(before, .removed, section) } else { add(now, .added, section) }
            }
            if a <= b { before?.advance() }
            if b <= a { now?.advance() }
        }
    }

    /// Whether the next tiles have the same bytes.
    private func isSame(_ before: inout PartTileReader?, _ now: inout PartTileReader?) throws
        -> Bool
    {
        guard before?.range.count == now?.range.count, let a = try before?.bytes(),
            let b = try now?.bytes()
        else { return false }
        return a.span.holdsSame(as: b.span)
    }

    private mutating func add(_ reader: PartTileReader?, _ change: TileChange, _ section: Int) {
        guard let reader, let tile = reader.tile else { return }
        byteCount += reader.range.count
        tiles.append(Tile(tile: tile, change: change, section: section, bytes: reader.range))
    }

    /// Calls `body` with each of them and its new bytes.
    func forEach(_ body: (Tile, Span<UInt8>) throws -> Void) throws {
        var open: (section: Int, window: StreamWindow)?
        for tile in tiles {
            guard tile.change != .removed else {
                try body(tile, [UInt8]().span)
                continue
            }
            if open?.section != tile.section { open = (tile.section, sections[tile.section]) }
            guard let bytes = try open?.window.bytes(tile.bytes) else { continue }
            try body(tile, bytes.span)
        }
    }
}

/// Reads the tiles of one zoom in a part, along the curve.
struct PartTileReader {
    private let index: TileIndex
    /// The place of each tile on the curve.
    private let places: [UInt64]
    /// The start of each tile in the stream.
    private let offsets: [Int]
    private(set) var window: StreamWindow
    private var next = 0

    /// Nil if the part has no tiles of the zoom.
    init?(_ part: PartTiles, _ zoom: UInt8) throws {
        guard let tiles = part.tiles(at: zoom) else { return nil }
        let index = try tiles.read(part.reader)
        (self.index, offsets) = (index, index.offsets)
        places = (0..<index.count).map { index.tile($0).hilbertID }
        window = StreamWindow(tiles.stream, in: part.reader)
    }

    var zoom: UInt8 { index.zoom }

    var tile: TileID? { next < index.count ? index.tile(next) : nil }

    /// The place of the next tile on the curve; nil after the last.
    var place: UInt64? { next < places.count ? places[next] : nil }

    /// The sum of what the next tile shows, where it is known.
    var sum: UInt64? { next < index.sums.count ? index.sums[next] : nil }

    var range: Range<Int> { offsets[next]..<offsets[next + 1] }

    mutating func bytes() throws(JobError) -> ArraySlice<UInt8>? {
        tile == nil ? nil : try window.bytes(range)
    }

    mutating func advance() { if next < index.count { next += 1 } }

    /// A tile's bytes, if it showed the same. As a rule, the tile is the next one.
    mutating func bytes(of tile: TileID, showing sum: UInt64) -> ArraySlice<UInt8>? {
        let wanted = tile.hilbertID
        if place != wanted { next = places.indices.partitionPoint { places[$0] >= wanted } }
        guard place == wanted else { return nil }
        defer { next += 1 }
        return self.sum == sum ? try? bytes() : nil
    }
}
