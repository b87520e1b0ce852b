import Geometry
import VectorTile

/// A point of an archive, with what it carries.
public struct Leaf: Sendable {
    /// Where it stands in leaf order.
    public let number: Int64
    public let layer: String
    public let id: UInt64?
    /// To 4 cm; not wrapped.
    public let place: WorldPoint
    public let tags: [Tile.Tag]
}
