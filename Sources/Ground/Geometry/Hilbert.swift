/// The Hilbert curve over a square of 2^order cells a side, in the orientation of PMTiles 3.
public enum Hilbert {
    /// The distance of a cell along the curve.
    ///
    /// Takes four bits of each number at a time from a table, because this runs several times a point.
    /// - Complexity: O(order).
    @inlinable
    public static func distance(x: UInt32, y: UInt32, order: UInt8) -> UInt64 {
        let (x, y) = (UInt64(x), UInt64(y))
        var distance: UInt64 = 0
        var level = (UInt64(order) &+ 3) & ~3
        // The first step may begin above the curve. There, each level turns the quadrant and adds nothing.
        var turn = (level &- UInt64(order)) & 1
        while level > 0 {
            level &-= 4
            let column = (x &>> level) & 15
            let row = (y &>> level) & 15
            let step = UInt64(steps[Int(truncatingIfNeeded: turn &<< 8 | column &<< 4 | row)])
            distance = distance &<< 8 | (step & 255)
            turn = step &>> 8
        }
        return distance
    }

    /// For each turn of a quadrant, column and row of four bits, the distance within that quadrant and the turn
    /// of the quadrant below: 1 if its axes are swapped, and 2 if both are reversed.
    @usableFromInline
    static let steps = {
        var steps = InlineArray<1024, UInt16>(repeating: 0)
        for index in steps.indices { steps[index] = step(index >> 8, index >> 4, index) }
        return steps
    }()

    /// Follows the curve through four levels, bit by bit.
    private static func step(_ turn: Int, _ column: Int, _ row: Int) -> UInt16 {
        var (distance, turn) = (0, turn)
        for level in (0..<4).reversed() {
            let isSwapped = turn & 1 != 0
            let reversed = turn >> 1
            let right = (isSwapped ? row : column) >> level & 1 ^ reversed
            let lower = (isSwapped ? column : row) >> level & 1 ^ reversed
            distance = distance << 2 | 3 * right ^ lower
            if lower == 0 { turn ^= right == 1 ? 3 : 1 }
        }
        return UInt16(turn << 8 | distance)
    }

    /// The cell at `distance` along the curve.
    /// - Complexity: O(order).
    public static func cell(at distance: UInt64, order: UInt8) -> (x: UInt32, y: UInt32) {
        var rest = distance
        var x: UInt64 = 0
        var y: UInt64 = 0
        for level in 0..<UInt64(order) {
            let side = UInt64(1) << level
            let right = 1 & (rest >> 1)
            let lower = 1 & (rest ^ right)
            if lower == 0 {
                if right == 1 {
                    x = side - 1 - x
                    y = side - 1 - y
                }
                swap(&x, &y)
            }
            x += side * right
            y += side * lower
            rest >>= 2
        }
        return (UInt32(x), UInt32(y))
    }
}

extension TileID {
    /// The tile's number in PMTiles: all tiles of lower zooms come first, then those before it on the Hilbert curve.
    @inlinable
    public var hilbertID: UInt64 {
        Self.firstHilbertID(atZoom: z) + Hilbert.distance(x: x, y: y, order: z)
    }

    /// The tile with that PMTiles number, if its zoom is one that `TileID` knows.
    public init?(hilbertID: UInt64) {
        guard let z = Self.zoom(ofHilbertID: hilbertID) else { return nil }
        let cell = Hilbert.cell(at: hilbertID - Self.firstHilbertID(atZoom: z), order: z)
        self.init(z: z, x: cell.x, y: cell.y)
    }

    /// The zoom of the tile with that PMTiles number, if it is one that `TileID` knows.
    public static func zoom(ofHilbertID id: UInt64) -> UInt8? {
        // The numbers of a zoom begin at (4^zoom - 1) / 3; those of a zoom 32 would begin here.
        guard id < UInt64.max / 3 else { return nil }
        return UInt8((63 - (3 * id + 1).leadingZeroBitCount) / 2)
    }

    /// The number of tiles at all zooms below `zoom`: (4^zoom − 1) / 3.
    @inlinable
    public static func firstHilbertID(atZoom zoom: UInt8) -> UInt64 {
        ((UInt64(1) << (2 * UInt64(zoom))) - 1) / 3
    }
}
