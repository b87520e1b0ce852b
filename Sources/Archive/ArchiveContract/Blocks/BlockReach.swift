/// What the index of a block says beyond the block's own points and the clusters that begin in it.
/// `ReachWalk` finds it, for all blocks of an archive.
package struct BlockReach: Sendable {
    /// The corners of the hull of the block's points.
    package let hull: [GridPoint]
    /// The clusters that are open where the block begins, the outermost first.
    let around: [ClusterRecord]
    /// Children of the block's clusters that begin in later blocks, by ascending key.
    var behind: [ClusterRecord] = []
    /// The shapes of the clusters that begin in the block and end behind it, in their order.
    var shapes: [ClusterShape] = []
    /// The leaves behind the block that are worth a copy, by ascending number: the first ones of its
    /// clusters, and those among the children of such.
    package internal(set) var worthACopy: [Int64] = []

    init(hull: [GridPoint], around: [ClusterRecord]) {
        self.hull = hull
        self.around = around
    }

    /// The whole index.
    /// - Parameters:
    ///   - number: which block it is.
    ///   - leaves: the numbers of the block's points.
    ///   - clusters: those that begin in the block.
    ///   - weights: of the leaves that are worth a copy (`LeafWeights`).
    ///   - copy: makes a vector tile with some of them.
    package func index(
        ofBlock number: Int64, leaves: Range<Int64>, clusters: [ClusterRecord],
        weights: some Sequence<Int>, copy: (Int) throws -> [UInt8]
    ) rethrows -> ClusterBlock {
        let count = ClusterBlock.copies(ofLeavesWeighing: weights)
        return ClusterBlock(
            number: number, leaves: leaves, hull: hull, rows: around + clusters + behind,
            shapes: shapes, copied: Array(worthACopy.prefix(count)),
            copies: count == 0 ? [] : try copy(count))
    }
}

/// Why blocks and clusters do not make one archive.
package enum ReachFault: Error, Equatable {
    case missingBlock(Int64)
    case missingLeaf(Int64)
    case strayCluster(ClusterKey)
}

extension ReachFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingBlock(let number): "leaf block \(number) is missing"
        case .missingLeaf(let leaf): "leaf \(leaf) is missing"
        case .strayCluster(let key):
            "the cluster of zoom \(key.zoom) that begins with leaf \(key.firstLeaf) does not lie "
                + "within the one that it goes into"
        }
    }
}
