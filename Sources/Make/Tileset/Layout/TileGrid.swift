import Geometry

/// How a zoom divides the world: tiles, units inside a tile, and the margin shared by neighbours.
///
/// Positions come as fixed-point numbers, 2^32 to a side of the world (9 mm at the equator), and all
/// further arithmetic is in whole units. So a point seen from two tiles is the same point in both.
package struct TileGrid: Hashable, Sendable {
    package let zoom: UInt8
    /// Units to a side of a tile: 2^extentBits.
    package let extentBits: UInt8
    /// The margin in units: points this near to an edge are drawn by the neighbour too.
    package let buffer: Int64

    /// - Parameter bufferPixels: the margin in pixels of a 512-pixel tile.
    package init(zoom: UInt8, extentBits: UInt8 = 12, bufferPixels: Double) {
        self.zoom = zoom
        self.extentBits = extentBits
        let units = bufferPixels * Double(UInt64(1) << UInt64(extentBits)) / 512
        buffer = Int64(units.rounded())
    }

    package var extent: Int64 { 1 << Int64(extentBits) }

    /// Units to a side of the world.
    private var world: Int64 { 1 << Int64(zoom + extentBits) }

    /// A coordinate as a fixed-point number, 2^32 to the side of the world.
    package static func fixed(_ coordinate: Double) -> UInt32 {
        UInt32(min(max((coordinate * 0x1p32).rounded(), 0), 0xFFFF_FFFF))
    }

    /// The unit of this zoom that is nearest to a fixed-point coordinate; it may be the world's end.
    private func unit(_ fixed: UInt32) -> Int64 {
        let bits = zoom + extentBits
        guard bits < 32 else { return Int64(fixed) << Int64(bits - 32) }
        let shift = Int64(32 - bits)
        return (Int64(fixed) + (1 << (shift - 1))) >> shift
    }

    /// A unit from the west edge, up to the world's end, which is unit 0 again.
    package func unitX(_ fixed: UInt32) -> Int64 { unit(fixed) & (world - 1) }

    /// A unit from the north edge; the world's lower edge belongs to the last.
    package func unitY(_ fixed: UInt32) -> Int64 { min(unit(fixed), world - 1) }

    /// The distance in units from one place east to another, the shorter way around the world.
    package func distance(fromX: UInt32, toX: UInt32) -> Int64 {
        let units = (unitX(toX) - unitX(fromX)) & (world - 1)
        return units > world / 2 ? units - world : units
    }

    /// The position of a unit, east to west, relative to a tile: within the tile or its margin.
    package func local(unitX: Int64, tile: UInt32) -> Int32 {
        var offset = unitX - Int64(tile) << Int64(extentBits)
        if offset > extent + buffer { offset -= world }
        if offset < -buffer { offset += world }
        return Int32(truncatingIfNeeded: offset)
    }

    package func local(unitY: Int64, tile: UInt32) -> Int32 {
        Int32(truncatingIfNeeded: unitY - Int64(tile) << Int64(extentBits))
    }

    /// The neighbour (−1, 0 or +1 tiles away) whose margin also holds a unit, by the unit's place in its own
    /// tile. With a margin of half a tile or more there could be two; options do not allow that.
    package func neighbor(ofLocal unit: Int64) -> Int64 {
        if unit <= buffer { return -1 }
        if unit >= extent - buffer { return 1 }
        return 0
    }
}
