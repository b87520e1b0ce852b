import Points

/// The columns of a cluster tree.
struct TreeColumns: Sendable {
    var leafRows = Column<UInt32>()
    var leafParents = Column<UInt32>()
    var leafParentZooms = Column<Int8>()
    var firsts = Column<Int>()
    var leaves = Column<Int>()
    var zooms = Column<Int8>()
    var parentZooms = Column<Int8>()
    var parents = Column<UInt32>()
    var xs = Column<Double>()
    var ys = Column<Double>()
    /// Empty where weights do not count.
    var weights = Column<Double>()
    /// Rows of the points that represent clusters; empty where they are not asked for.
    var representatives = Column<UInt32>()

    init() {}

    /// Columns whose entries are all still to be written.
    @unsafe
    init(
        uninitializedLeaves leafCount: Int, clusters clusterCount: Int, weighted: Bool,
        represented: Bool
    ) {
        unsafe leafRows = Column(uninitialized: leafCount)
        unsafe leafParents = Column(uninitialized: leafCount)
        unsafe leafParentZooms = Column(uninitialized: leafCount)
        unsafe firsts = Column(uninitialized: clusterCount)
        unsafe leaves = Column(uninitialized: clusterCount)
        unsafe zooms = Column(uninitialized: clusterCount)
        unsafe parentZooms = Column(uninitialized: clusterCount)
        unsafe parents = Column(uninitialized: clusterCount)
        unsafe xs = Column(uninitialized: clusterCount)
        unsafe ys = Column(uninitialized: clusterCount)
        if weighted { unsafe weights = Column(uninitialized: clusterCount) }
        if represented { unsafe representatives = Column(uninitialized: clusterCount) }
    }

    /// Appends another hierarchy's tree, whose leaves and clusters follow those of this one.
    mutating func append(_ other: consuming TreeColumns) {
        guard leafRows.count > 0 else {
            self = other
            return
        }
        let (leafOffset, clusterOffset) = (leafRows.count, UInt32(firsts.count))
        func moved(_ parent: UInt32) -> UInt32 {
            parent == ClusterTree.noParent ? parent : parent + clusterOffset
        }
        for leaf in 0..<other.leafParents.count {
            leafParents.append(moved(other.leafParents[leaf]))
        }
        for cluster in 0..<other.firsts.count {
            firsts.append(other.firsts[cluster] + leafOffset)
            parents.append(moved(other.parents[cluster]))
        }
        leafRows.append(contentsOf: other.leafRows.span)
        leafParentZooms.append(contentsOf: other.leafParentZooms.span)
        leaves.append(contentsOf: other.leaves.span)
        zooms.append(contentsOf: other.zooms.span)
        parentZooms.append(contentsOf: other.parentZooms.span)
        xs.append(contentsOf: other.xs.span)
        ys.append(contentsOf: other.ys.span)
        weights.append(contentsOf: other.weights.span)
        representatives.append(contentsOf: other.representatives.span)
    }
}
