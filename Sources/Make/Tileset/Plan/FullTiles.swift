import Geometry
import Points

/// The tiles of a zoom whose points weigh more than a limit, and these points. They are found
/// without sorting, by weighing tiles of shallower zooms first.
struct FullTiles {
    let table: PointTable
    private(set) var zoom: UInt8
    private(set) var tiles: [TileID] = []
    /// The sum of weights in each.
    private(set) var weights: [Int] = []
    /// The points in them, ascending, and for each the index of its tile.
    private(set) var rows: [UInt32] = []
    private var places: [UInt32] = []
    private let limit: WeightLimit
    private let wraps: Bool

    /// At this zoom, the table of all tiles' weights stays in the processor's caches.
    private static let firstZoom: UInt8 = 9
    private static let step: UInt8 = 2

    init(of table: PointTable, at zoom: UInt8, _ limit: WeightLimit, wraps: Bool) {
        self.table = table
        self.limit = limit
        self.wraps = wraps
        self.zoom = min(zoom, Self.firstZoom)
        weighFirst()
        while self.zoom < zoom { descend(to: min(zoom, self.zoom + Self.step)) }
    }

    /// A point's tile.
    @inline(__always)
    private func tile(of row: Int, at zoom: UInt8) -> TileID {
        TileID(holding: table.position(of: row).inSquare(wraps: wraps), zoom: zoom)
    }

    private func weight(of row: Int) -> Int {
        limit.weight(ofRecord: table.attributes[row].bytes.count)
    }

    private mutating func weighFirst() {
        let count = table.count
        guard limit.mayBeExceeded(by: count, recordBytes: table.attributes.recordBytes) else {
            return
        }
        let side = 1 << Int(zoom)
        let zoom = zoom
        var sums = [Int](repeating: 0, count: side * side)
        func square(_ row: Int) -> Int {
            let tile = tile(of: row, at: zoom)
            return Int(tile.y) << Int(zoom) | Int(tile.x)
        }
        table.attributes.forEachRecord(of: 0..<count) { row, record in
            sums[square(row)] += limit.weight(ofRecord: record.bytes.count)
        }
        let indexes = choose(sums) { square in
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

    /// Replaces these tiles with the full ones among the tiles below them.
    mutating func descend(to deeper: UInt8) {
        precondition(deeper >= zoom, "tiles are parted, not joined")
        let bits = UInt32(deeper - zoom)
        let parts = 1 << Int(2 * bits)
        guard bits > 0 else { return }
        let mask = UInt32(1) << bits - 1
        var sums = [Int](repeating: 0, count: tiles.count * parts)
        func square(_ index: Int) -> Int {
            let tile = tile(of: Int(rows[index]), at: deeper)
            return Int(places[index]) * parts + Int((tile.y & mask) << bits | tile.x & mask)
        }
        for index in rows.indices { sums[square(index)] += weight(of: Int(rows[index])) }
        let around = tiles
        zoom = deeper
        let indexes = choose(sums) { square in
            let (tile, part) = (around[square / parts], UInt32(square % parts))
            return TileID(
                z: deeper, x: tile.x << bits | part & mask, y: tile.y << bits | part >> bits)
        }
        keepPoints(in: rows.indices.map { indexes[square($0)] })
    }

    /// Keeps some of these tiles.
    mutating func keep(where isKept: [Bool]) {
        guard isKept.contains(false) else { return }
        let (before, sums) = (tiles, weights)
        (tiles, weights) = ([], [])
        var indexes = [UInt32](repeating: .max, count: before.count)
        for tile in before.indices where isKept[tile] {
            indexes[tile] = UInt32(tiles.count)
            tiles.append(before[tile])
            weights.append(sums[tile])
        }
        keepPoints(in: places.map { indexes[Int($0)] })
    }

    /// Keeps the points that are in one of the tiles.
    private mutating func keepPoints(in newPlaces: [UInt32]) {
        var end = 0
        for index in rows.indices where newPlaces[index] != .max {
            rows[end] = rows[index]
            places[end] = newPlaces[index]
            end += 1
        }
        rows.removeSubrange(end...)
        places.removeSubrange(end...)
    }

    /// Lists the squares that weigh more than the limit; returns the index of each in that list.
    private mutating func choose(
        _ sums: [Int], tile: (_ square: Int) -> TileID
    ) -> [UInt32] {
        tiles = []
        weights = []
        var indexes = [UInt32](repeating: .max, count: sums.count)
        for square in sums.indices where sums[square] > limit.bytes {
            indexes[square] = UInt32(tiles.count)
            tiles.append(tile(square))
            weights.append(sums[square])
        }
        return indexes
    }

    /// The points in each tile.
    var rowsOfTiles: [[Int]] {
        var all = Array(repeating: [Int](), count: tiles.count)
        for (row, place) in zip(rows, places) { all[Int(place)].append(Int(row)) }
        return all
    }
}

extension WorldPoint {
    /// Its place in the unit square that clustering uses.
    @inline(__always)
    func inSquare(wraps: Bool) -> WorldPoint {
        // On a flat world, 1 is the eastern edge and differs from the western one.
        x == 1 && !wraps ? self : wrapped
    }
}
