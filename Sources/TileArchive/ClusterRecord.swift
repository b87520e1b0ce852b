/// A row of the cluster index: a cluster, and where its parent is.
public struct ClusterRecord: Hashable, Sendable {
    /// The number of the cluster's first leaf.
    public var firstLeaf: Int64
    /// The zoom at which it formed: the deepest at which it is drawn.
    public var zoom: UInt8
    /// How many points it holds; their leaf numbers follow the first.
    public var leaves: Int64
    /// Its place in the unit square, in steps of 2^-30.
    public var x: Int32
    public var y: Int32
    /// The parent's first leaf and zoom; nil for a root.
    public var parent: Parent?

    public struct Parent: Hashable, Sendable {
        public var firstLeaf: Int64
        public var zoom: UInt8

        public init(firstLeaf: Int64, zoom: UInt8) {
            self.firstLeaf = firstLeaf
            self.zoom = zoom
        }

        public var id: Int64 { firstLeaf * 32 + Int64(zoom) }
    }

    public init(
        firstLeaf: Int64, zoom: UInt8, leaves: Int64, x: Int32, y: Int32, parent: Parent? = nil
    ) {
        self.firstLeaf = firstLeaf
        self.zoom = zoom
        self.leaves = leaves
        self.x = x
        self.y = y
        self.parent = parent
    }

    /// Zooms fit five bits, so this is unique and at most a `Double`'s 2^53 for any real input.
    public var id: Int64 { firstLeaf * 32 + Int64(zoom) }

    public var lastLeaf: Int64 { firstLeaf + leaves - 1 }
}
