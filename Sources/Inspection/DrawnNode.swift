import VectorTile

/// A feature that is a single point, as a tile shows it: a point, or a cluster of several.
struct DrawnNode: Sendable, BitwiseCopyable {
    /// The layer's number in its survey.
    var layer: Int32
    /// The position in the tile's own grid.
    var position: TilePoint
    var extent: Int32
    var hasID: Bool
    var id: UInt64
    var cluster = ClusterMarks()
    /// A hash of layer, id and attributes, whatever their order; 0 unless it was asked for.
    var fingerprint: UInt64 = 0

    /// Whether the tile owns it; otherwise it is a copy of what a neighbour holds.
    var isInTile: Bool {
        position.x >= 0 && position.y >= 0 && position.x < extent && position.y < extent
    }

    var isCluster: Bool { cluster.isCluster }
    var pointCount: Int64 { cluster.isCluster ? cluster.pointCount : 1 }
}

/// The attributes that make a feature a cluster, in the names that Covey and Supercluster use
/// (`cluster`) and in tippecanoe's (`clustered`).
struct ClusterMarks: Sendable, BitwiseCopyable {
    var isFlagged = false
    /// The number of points, or less than 1 where there is none.
    var pointCount: Int64 = 0
    /// The cluster's id and the zoom at which it falls apart; -1 where there is none.
    var id: Int64 = -1
    var expansionZoom: Int64 = -1
    /// Whether there is an abbreviated count that says what the count does; known only where
    /// fingerprints were asked for.
    var isAbbreviatedWell = false

    /// Counts that a cluster can have: hostile ones would make sums overflow.
    static let counts: ClosedRange<Int64> = 1...(1 << 40)

    var isCluster: Bool { isFlagged && pointCount > 0 }
}
