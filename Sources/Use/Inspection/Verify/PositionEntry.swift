import ArchiveContract
import Geometry

/// Entries of the position ledger.
enum PositionEntry {
    static func found(_ node: DrawnNode, in tile: TileID, bucket: UInt32) -> PositionLedger.Entry {
        if let place = node.truePlace {
            return PositionLedger.Entry(
                bucket: bucket, x: place.x, y: place.y, tolerance: writtenSlack)
        }
        let position = WorldPoint(node.position, in: tile, extent: UInt32(max(node.extent, 1)))
        let unit = tile.width / Double(max(node.extent, 1))
        return PositionLedger.Entry(
            bucket: bucket, x: position.x, y: position.y,
            tolerance: slack(ofUnit: unit, at: position))
    }

    /// The error of a place written in degrees with seven decimals, also near the poles, and half a
    /// step of the leaf blocks.
    static let writtenSlack = 2.5e-9

    /// The greatest distance of a drawn node from its position: half a unit of the tile's grid,
    /// half a step of the index, and half a step of 2^-32, to which the build rounds in between.
    static func slack(ofUnit unit: Double, at drawn: WorldPoint) -> Double {
        // The world's lower edge has no unit of its own: points there are drawn in the last row, a
        // whole unit away.
        let rounding = drawn.y + 1.5 * unit > 1 ? unit : unit / 2
        return rounding + 0x1p-31 + 0x1p-33
    }

    /// A position from the index or the leaf blocks.
    static func expected(_ point: GridPoint, bucket: UInt32) -> PositionLedger.Entry {
        let position = point.worldPoint
        return PositionLedger.Entry(bucket: bucket, x: position.x, y: position.y, tolerance: 0)
    }
}
