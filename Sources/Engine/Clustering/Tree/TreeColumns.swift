import Points

/// The columns of a cluster tree.
struct TreeColumns: Sendable {
    var nodes = LooseNodes()
    var leafRows = Column<UInt32>()
    var leafParents = Column<UInt32>()
    var parents = Column<UInt32>()
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
        unsafe nodes.leafParentZooms = Column(uninitialized: leafCount)
        unsafe nodes.firsts = Column(uninitialized: clusterCount)
        unsafe nodes.leaves = Column(uninitialized: clusterCount)
        unsafe nodes.zooms = Column(uninitialized: clusterCount)
        unsafe nodes.parentZooms = Column(uninitialized: clusterCount)
        unsafe parents = Column(uninitialized: clusterCount)
        unsafe nodes.xs = Column(uninitialized: clusterCount)
        unsafe nodes.ys = Column(uninitialized: clusterCount)
        if weighted { unsafe nodes.weights = Column(uninitialized: clusterCount) }
        if represented { unsafe representatives = Column(uninitialized: clusterCount) }
    }

    /// Appends another hierarchy's tree, whose leaves and clusters follow those of this one.
    mutating func append(_ other: consuming TreeColumns) {
        guard leafRows.count > 0 else {
            self = other
            return
        }
        let (leafOffset, clusterOffset) = (leafRows.count, UInt32(parents.count))
        func moved(_ parent: UInt32) -> UInt32 {
            parent == ClusterTree.noParent ? parent : parent + clusterOffset
        }
        for leaf in 0..<other.leafParents.count {
            leafParents.append(moved(other.leafParents[leaf]))
        }
        nodes.append(other.nodes)
        for cluster in 0..<other.parents.count {
            nodes.firsts[Int(clusterOffset) + cluster] += leafOffset
            parents.append(moved(other.parents[cluster]))
        }
        leafRows.append(contentsOf: other.leafRows.span)
        representatives.append(contentsOf: other.representatives.span)
    }
}
