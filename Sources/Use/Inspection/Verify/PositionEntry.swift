import ArchiveContract
import Geometry

extension PositionLedger.Entry {
    /// The entry of a node that a tile draws.
    init(of node: DrawnNode, in tile: TileID, bucket: UInt32) {
        if let place = node.truePlace {
            self.init(bucket: bucket, x: place.x, y: place.y, tolerance: Self.writtenSlack)
            return
        }
        let position = WorldPoint(node.position, in: tile, extent: UInt32(max(node.extent, 1)))
        let unit = tile.width / Double(max(node.extent, 1))
        self.init(
            bucket: bucket, x: position.x, y: position.y,
            tolerance: Self.slack(ofUnit: unit, at: position))
    }

    /// The error of a place written in degrees with seven decimals, also near the poles, and half a
    /// step of the leaf blocks.
    private static let writtenSlack = 2.5e-9

    /// The greatest distance of a drawn node from its position: half a unit of the tile's grid,
    /// half a step of the index, and half a step of 2^-32, to which the build rounds in between.
    static func slack(ofUnit unit: Double, at drawn: WorldPoint) -> Double {
        // The world's lower edge has no unit of its own: points there are drawn in the last row, a
        // whole unit away.
        let rounding = drawn.y + 1.5 * unit > 1 ? unit : unit / 2
        return rounding + 0x1p-31 + 0x1p-33
    }

    /// The entry of a position from the index or the leaf blocks.
    init(of point: GridPoint, bucket: UInt32) {
        let position = point.worldPoint
        self.init(bucket: bucket, x: position.x, y: position.y, tolerance: 0)
    }
}
