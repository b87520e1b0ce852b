/// How many leaves a block of a layer may have.
///
/// A block is a gzip vector tile 0/0/0 with an extent of 2^30, whose features are points in leaf order: any
/// reader of vector tiles can get longitude, latitude (to 4 cm) and attributes from it.
public struct LeafBlockLayout: Hashable, Sendable {
    /// The steps of a `GridPoint` are the units of the tile.
    public static let extent: UInt32 = 1 << 30
    /// Far more than any block of a build; a larger one, inflated, is rejected.
    public static let largestBlock = 32 << 20
    /// With blocks of a thousand, SQLite left a fifth of their pages empty.
    public static let mostLeaves: Int64 = 4_000

    /// The layout of archives that state no other, and of all whose points carry little.
    public static let usual = LeafBlockLayout(mostLeaves)

    public let leavesPerBlock: Int64

    private init(_ leavesPerBlock: Int64) { self.leavesPerBlock = leavesPerBlock }

    /// Nil if no archive has blocks of that size.
    public init?(leavesPerBlock: Int64) {
        guard (1...Self.mostLeaves).contains(leavesPerBlock) else { return nil }
        self.init(leavesPerBlock)
    }
}

/// The tables beside an archive's tiles, if its container is a database.
public enum IndexTable {
    /// `block INTEGER PRIMARY KEY, data`: a payload a row (docs/pmtiles.md).
    public static let blocks = "covey_blocks"

    // Up to format 3:
    /// `key INTEGER PRIMARY KEY, leaves, x, y, up, shift`: a `ClusterRecord` a row.
    public static let clusters = "covey_clusters"
    /// `first INTEGER PRIMARY KEY, data`: an `IDPage` a row, if ids are places.
    public static let ids = "covey_cluster_ids"
    /// `block INTEGER PRIMARY KEY, data, hull`: the tile, and the corners of its points' hull.
    public static let leafBlocks = "covey_leaf_blocks"
}
