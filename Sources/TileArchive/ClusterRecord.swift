/// A row of the cluster index: a cluster, and which cluster it goes into.
public struct ClusterRecord: Hashable, Sendable {
    /// The number of the cluster's first leaf and the zoom at which it formed, which name it.
    public struct Key: Hashable, Sendable {
        public var firstLeaf: Int64
        /// The deepest zoom at which the cluster is drawn.
        public var zoom: UInt8

        public init(firstLeaf: Int64, zoom: UInt8) {
            self.firstLeaf = firstLeaf
            self.zoom = zoom
        }

        public init(id: Int64) {
            self.init(firstLeaf: id >> 5, zoom: UInt8(id & 31))
        }

        /// Zooms fit five bits; first leaves fit the rest of a `Double`'s 53.
        public var id: Int64 { firstLeaf << 5 | Int64(zoom) }
    }

    public var key: Key
    /// How many points it holds; their leaf numbers follow the first.
    public var leafCount: Int64
    public var place: GridPoint
    /// The cluster that it goes into; nil for a root.
    public var parent: Key?

    public init(key: Key, leafCount: Int64, place: GridPoint, parent: Key?) {
        self.key = key
        self.leafCount = leafCount
        self.place = place
        self.parent = parent
    }

    public var id: Int64 { key.id }
    /// The numbers of its leaves.
    public var leaves: Range<Int64> { key.firstLeaf..<(key.firstLeaf + leafCount) }
    /// The first zoom at which the cluster has come apart.
    public var expansionZoom: Int { Int(key.zoom) + 1 }
}

/// What a level or a cluster is made of.
public enum ClusterNode: Hashable, Sendable {
    case cluster(ClusterRecord)
    /// A point on its own, by its leaf number.
    case leaf(Int64)

    public var leaves: Range<Int64> {
        switch self {
        case .cluster(let record): record.leaves
        case .leaf(let number): number..<(number + 1)
        }
    }
}
