import Geometry

/// What the order of the tiles says about them: whether they came by zoom, column and row.
struct TileOrder {
    private(set) var count = 0
    private(set) var isSorted = true
    private var last: (zoom: UInt8, place: UInt64) = (0, 0)

    mutating func include(_ tile: TileID, _ bytes: Span<UInt8>) {
        let place = UInt64(tile.x) << 32 | UInt64(tile.tmsRow)
        if count > 0, (tile.z, place) <= last { isSorted = false }
        last = (tile.z, place)
        count += 1
    }
}
