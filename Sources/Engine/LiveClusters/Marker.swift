import Clustering
import Geometry

/// A cluster or a single point, as it is drawn.
public struct Marker: Hashable, Identifiable, Sendable {
    let node: TreeNode
    public let position: LonLat
    /// How many points it stands for.
    public let count: Int

    /// Stays the same for as long as the map does, at all zooms that draw it.
    public var id: some Hashable & Sendable { node }

    public var isCluster: Bool { count > 1 }
}
