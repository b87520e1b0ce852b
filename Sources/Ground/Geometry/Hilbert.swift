/// The Hilbert curve over a square of 2^order cells a side, in the orientation of PMTiles 3.
public enum Hilbert {
    /// The distance of a cell along the curve.
    ///
    /// Each step turns the lower bits as the curve turns its quadrant; the turn is done with masks
    /// because this runs once a point and a branch there would be mispredicted half the time.
    /// - Complexity: O(order).
    @inlinable
    public static func distance(x: UInt32, y: UInt32, order: UInt8) -> UInt64 {
        var x = UInt64(x)
        var y = UInt64(y)
        var distance: UInt64 = 0
        var level = UInt64(order)
        while level > 0 {
            level &-= 1
            let right = (x &>> level) & 1
            let lower = (y &>> level) & 1
            distance = distance &<< 2 | ((3 &* right) ^ lower)
            let flip = (0 &- (right & ~lower)) & ((1 &<< level) &- 1)
            x ^= flip
            y ^= flip
            let swap = (0 &- (1 &- lower)) & (x ^ y)
            x ^= swap
            y ^= swap
        }
        return distance
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
