import ArchiveContract
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
    public let tags: [Tile.Tag]

    /// The weight of the point in a block.
    package var weight: Int {
        let bytes = tags.reduce(0) { sum, tag in
            if case .string(let text) = tag.value { sum + text.utf8.count } else { sum + 8 }
        }
        return LeafWeight.weight((tags.count, bytes))
    }

    /// The bytes of its keys and texts.
    public var bytes: Int {
        tags.reduce(0) { sum, tag in
            guard case .string(let text) = tag.value else { return sum + tag.key.utf8.count + 8 }
            return sum + tag.key.utf8.count + text.utf8.count
        }
    }
}
