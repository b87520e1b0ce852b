import Geometry
import VectorTile

extension WorldPoint {
    /// Where a position of a tile's grid lies in the unit square, not wrapped.
    init(_ position: TilePoint, in tile: TileID, extent: UInt32) {
        // An extent of 0 is reported elsewhere; here it must only not divide.
        let scale = tile.width / Double(max(extent, 1))
        self.init(
            x: tile.origin.x + Double(position.x) * scale,
            y: tile.origin.y + Double(position.y) * scale)
    }
}

extension WorldBox {
    /// Grows around what of a feature lies within its tile.
    mutating func include(
        _ feature: borrowing FeatureView, in tile: TileID, extent: UInt32
    ) {
        guard let geometry = try? feature.geometry() else { return }
        let range = 0...Int32(clamping: extent)
        for position in geometry.positions
        where range.contains(position.x) && range.contains(position.y) {
            include(WorldPoint(position, in: tile, extent: extent))
        }
    }
}

extension TileGeometry {
    /// All positions of the geometry, one part after another.
    public var positions: [TilePoint] {
        switch self {
        case .points(let points): points
        case .lines(let parts), .rings(let parts): parts.flatMap { $0 }
        case .unknown: []
        }
    }
}
