/// The form of a leaf block: a gzip vector tile 0/0/0 with an extent of 2^30, whose features are points in leaf
/// order. Any reader of vector tiles can get longitude, latitude (to 4 cm) and attributes from it.
public enum LeafBlockLayout {
    /// The steps of a `GridPoint` are the units of the tile.
    public static let extent: UInt32 = 1 << 30
    /// Far more than any block of a build; a larger one, inflated, is rejected.
    public static let largestBlock = 32 << 20
    /// The most bytes of names and values of a point that readers give out.
    public static let largestLeaf = 16 << 20
    /// The most leaves of a block; up to format 3, those of every block in archives that state no other number.
    /// With blocks of a thousand, SQLite left a fifth of their pages empty.
    public static let mostLeaves: Int64 = 4_000
}

/// The tables beside an archive's tiles, if its container is a database.
public enum IndexTable {
    /// `block INTEGER PRIMARY KEY, data`: a payload a row (docs/pmtiles.md). If the archive can be changed in place, this
    /// is a view of the next two, and a payload keeps its row when its number changes.
    public static let blocks = "covey_blocks"
    /// `payload INTEGER PRIMARY KEY, data`.
    public static let payloads = "covey_payloads"
    /// `block INTEGER PRIMARY KEY, payload`: the row of each payload, which no other has.
    public static let numbers = "covey_numbers"

    // Up to format 3:
    /// `key INTEGER PRIMARY KEY, leaves, x, y, up, shift`: a `ClusterRecord` a row.
    public static let clusters = "covey_clusters"
    /// `first INTEGER PRIMARY KEY, data`: an `IDPage` a row, if ids are places.
    public static let ids = "covey_cluster_ids"
    /// `block INTEGER PRIMARY KEY, data, hull`: the tile, and the corners of its points' hull.
    public static let leafBlocks = "covey_leaf_blocks"
}
