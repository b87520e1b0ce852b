/// How the points of an archive are cut into leaf blocks: of how many each consists.
///
/// A block is a gzip vector tile 0/0/0 with an extent of 2^30, one layer a source layer, whose
/// features are points in leaf order, counted through all layers of the block: any reader of vector
/// tiles gets longitude, latitude (to 4 cm) and attributes from it.
public struct LeafBlockLayout: Hashable, Sendable {
    /// The steps of a `GridPoint` are the units of the tile.
    public static let extent: UInt32 = 1 << 30
    /// No block that a build makes comes near; what is larger when inflated is no block.
    public static let largestBlock = 32 << 20
    /// In blocks of a thousand SQLite left a fifth of their pages empty.
    public static let mostLeaves: Int64 = 4_000

    /// What archives have that say nothing else, and all whose points carry little.
    public static let usual = LeafBlockLayout(mostLeaves)

    public let leavesPerBlock: Int64

    private init(_ leavesPerBlock: Int64) { self.leavesPerBlock = leavesPerBlock }

    /// Nil where no archive has blocks of so many.
    public init?(leavesPerBlock: Int64) {
        guard (1...Self.mostLeaves).contains(leavesPerBlock) else { return nil }
        self.init(leavesPerBlock)
    }

    public func blockCount(forLeaves count: Int64) -> Int64 {
        (count + leavesPerBlock - 1) / leavesPerBlock
    }

    /// The block that holds a leaf.
    public func block(ofLeaf leaf: Int64) -> Int64 { leaf / leavesPerBlock }

    /// The number of a block's first leaf.
    public func firstLeaf(ofBlock block: Int64) -> Int64 { block * leavesPerBlock }

    /// The leaves of a block that is full.
    public func leaves(ofBlock block: Int64) -> Range<Int64> {
        firstLeaf(ofBlock: block)..<firstLeaf(ofBlock: block + 1)
    }
}

/// By the size of blocks: where layers ask for several, the smallest holds for all.
extension LeafBlockLayout: Comparable {
    public static func < (a: LeafBlockLayout, b: LeafBlockLayout) -> Bool {
        a.leavesPerBlock < b.leavesPerBlock
    }
}

/// The tables beside an archive's tiles, where its container is a database.
public enum IndexTable {
    /// `key INTEGER PRIMARY KEY, leaves, x, y, up, shift`: a `ClusterRecord` a row.
    public static let clusters = "covey_clusters"
    /// `first INTEGER PRIMARY KEY, data`: an `IDPage` a row, where ids are places.
    public static let ids = "covey_cluster_ids"
    /// `block INTEGER PRIMARY KEY, data, hull`: the tile, and the corners of its points' hull.
    public static let leafBlocks = "covey_leaf_blocks"
}
