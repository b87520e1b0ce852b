import Geometry
import Points

/// The tiles of a zoom in which more than so many points lie, and these points: found by counting in
/// tiles of shallower zooms first, without sorting.
struct FullTiles {
    /// More points than that make a tile a full one.
    let limit: Int
    private(set) var zoom: UInt8
    private(set) var tiles: [TileID] = []
    /// How many points lie in each.
    private(set) var counts: [Int] = []
    /// The points in them, ascending, and for each the index of its tile.
    private(set) var rows: [UInt32] = []
    private(set) var places: [UInt32] = []
    private let xs: Column<Double>
    private let ys: Column<Double>
    private let wraps: Bool

    /// So many tiles are counted in a table that stays in the processor's caches.
    private static let firstZoom: UInt8 = 9
    private static let step: UInt8 = 2

    init(of table: PointTable, at zoom: UInt8, limit: Int, wraps: Bool) {
        self.limit = limit
        self.wraps = wraps
        (xs, ys) = (table.xs, table.ys)
        self.zoom = min(zoom, Self.firstZoom)
        countFirst()
        while self.zoom < zoom { descend(to: min(zoom, self.zoom + Self.step)) }
    }

    /// The column and the row of a point's tile.
    @inline(__always)
    private func tile(of row: Int, at zoom: UInt8) -> (x: UInt32, y: UInt32) {
        let side = Double(UInt64(1) << UInt64(zoom))
        let place = WorldPoint(x: xs[row], y: ys[row]).inSquare(wraps: wraps)
        return (
            UInt32(min(place.x * side, side - 1)), UInt32(min(max(place.y * side, 0), side - 1))
        )
    }

    private mutating func countFirst() {
        let count = xs.count
        guard count > limit else { return }
        let side = 1 << Int(zoom)
        let zoom = zoom
        var counters = [UInt32](repeating: 0, count: side * side)
        func square(_ row: Int) -> Int {
            let tile = tile(of: row, at: zoom)
            return Int(tile.y) << Int(zoom) | Int(tile.x)
        }
        for row in 0..<count { counters[square(row)] += 1 }
        let indexes = keep(counters) { square in
            TileID(z: zoom, x: UInt32(square & (side - 1)), y: UInt32(square >> Int(zoom)))
        }
        guard !tiles.isEmpty else { return }
        for row in 0..<count {
            let index = indexes[square(row)]
            guard index != .max else { continue }
            rows.append(UInt32(row))
            places.append(index)
        }
    }

    /// Goes on with the full ones among the tiles that lie in these.
    mutating func descend(to deeper: UInt8) {
        precondition(deeper >= zoom, "tiles are parted, not joined")
        let bits = UInt32(deeper - zoom)
        let parts = 1 << Int(2 * bits)
        guard bits > 0 else { return }
        let mask = UInt32(1) << bits - 1
        var counters = [UInt32](repeating: 0, count: tiles.count * parts)
        func square(_ index: Int) -> Int {
            let tile = tile(of: Int(rows[index]), at: deeper)
            return Int(places[index]) * parts + Int((tile.y & mask) << bits | tile.x & mask)
        }
        for index in rows.indices { counters[square(index)] += 1 }
        let around = tiles
        zoom = deeper
        let indexes = keep(counters) { square in
            let (tile, part) = (around[square / parts], UInt32(square % parts))
            return TileID(
                z: deeper, x: tile.x << bits | part & mask, y: tile.y << bits | part >> bits)
        }
        var end = 0
        for index in rows.indices {
            let place = indexes[square(index)]
            guard place != .max else { continue }
            rows[end] = rows[index]
            places[end] = place
            end += 1
        }
        rows.removeSubrange(end...)
        places.removeSubrange(end...)
    }

    /// Lists the squares that hold more than the limit; answers with the index of each among them.
    private mutating func keep(
        _ counters: [UInt32], tile: (_ square: Int) -> TileID
    ) -> [UInt32] {
        tiles = []
        counts = []
        var indexes = [UInt32](repeating: .max, count: counters.count)
        for square in counters.indices where Int(counters[square]) > limit {
            indexes[square] = UInt32(tiles.count)
            tiles.append(tile(square))
            counts.append(Int(counters[square]))
        }
        return indexes
    }

    /// The fullest, the first of several along the curve.
    var fullest: (tile: TileID, count: Int)? {
        var best: (tile: TileID, count: Int)?
        for (tile, count) in zip(tiles, counts) {
            guard let known = best else {
                best = (tile, count)
                continue
            }
            if count > known.count || count == known.count && tile < known.tile {
                best = (tile, count)
            }
        }
        return best
    }

    /// The points in one of them.
    func rows(in tile: TileID) -> [Int] {
        guard let wanted = tiles.firstIndex(of: tile) else { return [] }
        return rows.indices.filter { Int(places[$0]) == wanted }.map { Int(rows[$0]) }
    }
}

extension WorldPoint {
    /// Where it lies in the unit square, as clusters see it.
    @inline(__always)
    func inSquare(wraps: Bool) -> WorldPoint {
        // On a flat world 1 is the eastern edge and not the western one.
        x == 1 && !wraps ? self : wrapped
    }
}
