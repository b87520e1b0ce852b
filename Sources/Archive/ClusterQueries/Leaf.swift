import Geometry
import VectorTile

/// A point of an archive, with its attributes.
public struct Leaf: Sendable {
    /// The point's number in leaf order.
    public let number: Int64
    public let layer: String
    public let id: UInt64?
    /// The position, exact to 4 cm; not wrapped.
    public let position: WorldPoint
    public let tags: [TileTag]

    /// The bytes of its keys and texts.
    public var bytes: Int {
        tags.reduce(0) { sum, tag in
            guard case .string(let text) = tag.value else { return sum + tag.key.utf8.count + 8 }
            return sum + tag.key.utf8.count + text.utf8.count
        }
    }
}
