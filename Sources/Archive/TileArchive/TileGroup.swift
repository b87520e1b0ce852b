import Geometry

/// Tiles of one zoom that have something in common, such as their contents.
public struct TileGroup: Sendable {
    /// The first tile by key.
    package private(set) var first: TileID
    package private(set) var count = 1
    /// The range of columns and rows of all tiles.
    package private(set) var columns: ClosedRange<UInt32>
    package private(set) var rows: ClosedRange<UInt32>
    /// The tiles along the curve; empty if there is only one tile.
    package private(set) var runs: [TileRun] = []

    package init(_ tile: TileID) {
        first = tile
        columns = tile.x...tile.x
        rows = tile.y...tile.y
    }

    /// - Precondition: `runs` are of one zoom, there is at least one, and none is empty.
    package init(_ runs: [TileRun]) {
        self.init(runs[0].first)
        count = runs.reduce(0) { $0 + $1.count }
        guard count > 1 else { return }
        self.runs = runs
        for run in runs {
            run.forEachSquare { square in
                if square.first.comesInKeys(before: first) { first = square.first }
                columns = columns.hull(square.columns)
                rows = rows.hull(square.rows)
            }
        }
    }

    /// All tiles, run by run along the curve.
    public var tiles: some Sequence<TileID> {
        let all = runs.isEmpty ? [TileRun(first)] : runs
        return all.lazy.flatMap { run in run.distances.lazy.map(run.tile) }
    }

    /// The first tiles by key, at most `most`.
    package func firsts(_ most: Int) -> [TileID] {
        guard count > 1, most > 0 else { return Array([first].prefix(most)) }
        var tiles: [TileID] = []
        func prune() {
            tiles.sort { $0.comesInKeys(before: $1) }
            tiles.removeSubrange(min(most, tiles.count)...)
        }
        for run in runs {
            run.forEachSquare { square in
                tiles += square.firsts(most)
                if tiles.count / 2 > most { prune() }
            }
        }
        prune()
        return tiles
    }
}

/// Tiles of one zoom that are consecutive along the Hilbert curve.
public struct TileRun: Hashable, Sendable {
    public let zoom: UInt8
    /// The distances of the tiles along the curve.
    public let distances: Range<UInt64>

    package init(zoom: UInt8, distances: Range<UInt64>) {
        self.zoom = zoom
        self.distances = distances
    }

    /// A run of one tile.
    fileprivate init(_ tile: TileID) {
        let distance = Hilbert.distance(x: tile.x, y: tile.y, order: tile.z)
        self.init(zoom: tile.z, distances: distance..<distance + 1)
    }

    package var count: Int { distances.count }
    /// The first tile along the curve.
    package var first: TileID { tile(at: distances.lowerBound) }

    package func tile(at distance: UInt64) -> TileID {
        let cell = Hilbert.cell(at: distance, order: zoom)
        return TileID(z: zoom, x: cell.x, y: cell.y)
    }

    /// Calls `body` with the squares that make up the run, along the curve: at most six a zoom.
    package func forEachSquare(_ body: (TileSquare) -> Void) {
        var distance = distances.lowerBound
        while distance < distances.upperBound {
            // A square of 4^n tiles begins at a multiple of 4^n.
            let fitting = (63 - (distances.upperBound - distance).leadingZeroBitCount) / 2
            let level = UInt8(min(distance.trailingZeroBitCount / 2, fitting, Int(zoom)))
            let cell = Hilbert.cell(at: distance >> (2 * UInt64(level)), order: zoom - level)
            let last = UInt32((UInt64(1) << UInt64(level)) - 1)
            let (x, y) = (cell.x << UInt32(level), cell.y << UInt32(level))
            body(TileSquare(zoom: zoom, columns: x...x + last, rows: y...y + last))
            distance += 1 << (2 * UInt64(level))
        }
    }
}

/// The tiles of one zoom that a tile of a shallower zoom covers.
package struct TileSquare: Hashable, Sendable {
    package let zoom: UInt8
    package let columns: ClosedRange<UInt32>
    package let rows: ClosedRange<UInt32>

    /// The first tile by key.
    package var first: TileID { TileID(z: zoom, x: columns.lowerBound, y: rows.upperBound) }

    fileprivate func firsts(_ most: Int) -> [TileID] {
        var tiles: [TileID] = []
        for x in columns {
            for y in rows.reversed() {
                guard tiles.count < most else { return tiles }
                tiles.append(TileID(z: zoom, x: x, y: y))
            }
        }
        return tiles
    }
}

extension TileID {
    /// Whether this tile comes first by zoom, column and row, with rows from the south.
    package func comesInKeys(before other: TileID) -> Bool {
        (z, x, tmsRow) < (other.z, other.x, other.tmsRow)
    }
}

// Inlinable, as it runs for each layer of each tile; unspecialized it takes a fifth of an inspection.
extension ClosedRange {
    /// The smallest range around both.
    @inlinable
    package func hull(_ other: ClosedRange) -> ClosedRange {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }

    @inlinable
    package func hull(_ other: ClosedRange?) -> ClosedRange {
        guard let other else { return self }
        return hull(other)
    }
}
