import Points

/// The columns of a cluster tree.
struct TreeColumns: Sendable {
    var leafRows = Column<UInt32>()
    var leafParents = Column<UInt32>()
    var leafParentZooms = Column<Int8>()
    var firsts = Column<UInt32>()
    var leaves = Column<UInt32>()
    var zooms = Column<Int8>()
    var parentZooms = Column<Int8>()
    var parents = Column<UInt32>()
    var xs = Column<Double>()
    var ys = Column<Double>()
    /// Empty where weights do not count.
    var weights = Column<Double>()
    /// Rows of the points that represent clusters; empty where nobody asks.
    var representatives = Column<UInt32>()

    init() {}

    init(leafCount: Int, clusterCount: Int, weighted: Bool, represented: Bool) {
        leafRows = Column(repeating: 0, count: leafCount)
        leafParents = Column(repeating: ClusterTree.noParent, count: leafCount)
        leafParentZooms = Column(repeating: 0, count: leafCount)
        firsts = Column(repeating: 0, count: clusterCount)
        leaves = Column(repeating: 0, count: clusterCount)
        zooms = Column(repeating: 0, count: clusterCount)
        parentZooms = Column(repeating: 0, count: clusterCount)
        parents = Column(repeating: ClusterTree.noParent, count: clusterCount)
        xs = Column(repeating: 0, count: clusterCount)
        ys = Column(repeating: 0, count: clusterCount)
        if weighted { weights = Column(repeating: 0, count: clusterCount) }
        if represented { representatives = Column(repeating: 0, count: clusterCount) }
    }

    /// Appends another hierarchy's tree, whose leaves and clusters follow those of this one.
    mutating func append(_ other: consuming TreeColumns) {
        guard leafRows.count > 0 else {
            self = other
            return
        }
        let (leafOffset, clusterOffset) = (UInt32(leafRows.count), UInt32(firsts.count))
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
