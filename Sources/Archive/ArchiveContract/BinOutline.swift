import Geometry

/// The corners of a bin in units of a zoom's grid; some may lie beyond the world's edges.
package struct BinOutline {
    package let corners: [(x: Int64, y: Int64)]
    private let zoom: UInt8
    private let extentBits: UInt8
    private let buffer: Int64

    /// - Parameters:
    ///   - extentBits: a tile has 2^extentBits units to a side.
    ///   - buffer: the margin of a tile in units.
    package init(of bin: Int64, in grid: BinGrid, extentBits: UInt8, buffer: Int64) {
        zoom = UInt8(grid.zoom)
        self.extentBits = extentBits
        self.buffer = buffer
        let side = Double(UInt64(1) << (UInt64(zoom) + UInt64(extentBits)))
        corners = grid.corners(of: bin).map {
            (Int64(($0.x * side).rounded()), Int64(($0.y * side).rounded()))
        }
    }

    private var columns: ClosedRange<Int64> { Self.range(corners.map(\.x)) }
    private var rows: ClosedRange<Int64> { Self.range(corners.map(\.y)) }

    private static func range(_ numbers: [Int64]) -> ClosedRange<Int64> {
        (numbers.min() ?? 0)...(numbers.max() ?? 0)
    }

    /// The tiles whose square, including its margin, meets the bounding box of the bin.
    package var tiles: [TileID] {
        let side = Int64(1) << Int64(zoom)
        func met(_ range: ClosedRange<Int64>) -> ClosedRange<Int64> {
            let first = (range.lowerBound - buffer) >> Int64(extentBits)
            // A range that ends on an edge does not reach beyond it.
            return first...max(first, (range.upperBound + buffer - 1) >> Int64(extentBits))
        }
        var found: [TileID] = []
        for row in met(rows).clamped(to: 0...side - 1) {
            for column in met(columns) {
                let tile = TileID(
                    z: zoom, x: UInt32((column % side + side) % side), y: UInt32(row))
                if !found.contains(tile) { found.append(tile) }
            }
        }
        return found
    }

    /// The bin's rings in coordinates of a tile, from the tile's corner: one, or several near the world's edge.
    package func rings(in tile: TileID) -> [[(x: Int64, y: Int64)]] {
        let extent = Int64(1) << Int64(extentBits)
        let world = extent << Int64(zoom)
        let (left, top) = (Int64(tile.x) * extent, Int64(tile.y) * extent)
        return [0, -world, world].compactMap { turn in
            let own = columns.lowerBound + turn - left...columns.upperBound + turn - left
            guard own.lowerBound < extent + buffer, own.upperBound > -buffer else { return nil }
            return corners.map { ($0.x + turn - left, $0.y - top) }
        }
    }
}
