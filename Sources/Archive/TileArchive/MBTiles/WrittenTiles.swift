import Geometry

/// Follows tiles as they are written: as long as they come in key order, they are hashed at once, and need not be
/// read again.
struct WrittenTiles: ~Copyable {
    private(set) var count = 0
    private var last: (zoom: UInt8, position: UInt64) = (0, 0)
    /// Nil if no hash is wanted.
    private var hash: TilesHash?
    /// Whether all tiles so far came in key order, and so none of them twice.
    private(set) var isSorted = true

    init(hashes: Bool) { hash = hashes ? TilesHash() : nil }

    mutating func include(_ tile: TileID, _ bytes: Span<UInt8>) {
        let position = UInt64(tile.x) << 32 | UInt64(tile.tmsRow)
        if count > 0, (tile.z, position) <= last { isSorted = false }
        last = (tile.z, position)
        count += 1
        guard isSorted else { return }
        hash?.include(tile, bytes)
    }

    /// The hash over all tiles, if they came in key order.
    mutating func finish() -> String? { isSorted ? hash.take()?.finish() : nil }
}
