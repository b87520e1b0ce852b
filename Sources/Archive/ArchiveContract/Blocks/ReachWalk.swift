import Geometry

/// Goes through the blocks of an archive in their order, and finds what the index of each is to say of
/// leaves and clusters that lie behind it.
///
///     var walk = ReachWalk(layout)
///     for block in blocks { _ = try walk.enter(block) }
///     let reaches = try walk.finish()
///
/// Memory: some hundred bytes a block, and the points of a few blocks for each cluster that is open.
package struct ReachWalk {
    /// What is known of a block when the walk comes to it.
    package struct Block: Sendable {
        let leaves: Range<Int64>
        let points: [GridPoint]
        let hull: [GridPoint]
        let clusters: [ClusterRecord]

        /// - Parameters:
        ///   - points: where each leaf lies.
        ///   - hull: the corners of their hull, if it is known.
        ///   - clusters: those that begin here, by ascending key.
        package init(
            leaves: Range<Int64>, points: [GridPoint], hull: [GridPoint]? = nil,
            clusters: [ClusterRecord]
        ) {
            self.leaves = leaves
            self.points = points
            self.hull = hull ?? GridHull(of: points).corners
            self.clusters = clusters
        }
    }

    /// A leaf that an earlier block is to have a copy of.
    package struct Wanted: Equatable, Sendable {
        package let leaf: Int64
        package let block: Int
    }

    /// A cluster that holds the next leaf.
    private struct Open {
        let record: ClusterRecord
        /// The block that it begins in.
        let block: Int
        /// How many single leaves behind that block have been found worth a copy.
        var copies = 0
        /// Of one that ends behind its block: where its shape goes, and what is known of it.
        var outline: (slot: Int, shape: GrowingOutline)?

        /// Takes what a block has of the cluster.
        mutating func include(
            _ block: Block, _ layout: LeafBlockLayout
        ) throws(ReachFault) {
            var parts = BlockParts(of: record.leaves.clamped(to: block.leaves), in: layout)
            guard let part = parts.next() else { return }
            guard part.indexes.upperBound <= block.points.count else {
                throw .missingLeaf(block.leaves.lowerBound + Int64(block.points.count))
            }
            outline?.shape.include(part, points: block.points, hull: block.hull)
        }
    }

    private let layout: LeafBlockLayout
    private var reaches: [BlockReach] = []
    /// The outermost first.
    private var open: [Open] = []
    /// Blocks whose clusters have some of their first leaves behind them, and where these end.
    private var firstLeaves: [(block: Int, end: Int64)] = []
    private var end: Int64 = 0
    /// What the present block has that earlier ones want.
    private var wanted: [Wanted] = []

    package init(_ layout: LeafBlockLayout) { self.layout = layout }

    /// Takes the next block.
    /// - Returns: the leaves of it that earlier blocks want to have a copy of, in their order for each.
    package mutating func enter(_ block: Block) throws(ReachFault) -> [Wanted] {
        let number = reaches.count
        guard block.leaves.lowerBound == layout.firstLeaf(ofBlock: Int64(number)) else {
            throw .missingBlock(Int64(number))
        }
        close(before: block.leaves.lowerBound)
        end = block.leaves.upperBound
        reaches.append(BlockReach(hull: block.hull, around: open.map(\.record)))
        for index in open.indices { try open[index].include(block, layout) }
        wanted = []
        wantFirstLeaves(of: block.leaves)
        var leaf = block.leaves.lowerBound
        for cluster in block.clusters {
            guard (leaf..<end).contains(cluster.key.firstLeaf) else {
                throw .strayCluster(cluster.key)
            }
            pass(leaf..<cluster.key.firstLeaf, in: number)
            leaf = cluster.key.firstLeaf
            try begin(cluster, in: block, number)
        }
        pass(leaf..<end, in: number)
        let ends = block.clusters.map {
            min($0.key.firstLeaf + ClusterBlock.firstLeaves, $0.leaves.upperBound)
        }
        if let last = ends.max(), last > end { firstLeaves.append((number, last)) }
        return wanted
    }

    /// What was found for each block.
    package consuming func finish() throws(ReachFault) -> [BlockReach] {
        close(before: end)
        guard open.isEmpty else { throw .missingLeaf(end) }
        return reaches
    }

    /// Closes the clusters that end at a leaf or before.
    private mutating func close(before leaf: Int64) {
        while let last = open.last, last.record.leaves.upperBound <= leaf {
            if let (slot, outline) = last.outline {
                reaches[last.block].shapes[slot] = outline.shape(among: reaches)
            }
            open.removeLast()
        }
    }

    private mutating func begin(
        _ cluster: ClusterRecord, in block: Block, _ number: Int
    ) throws(ReachFault) {
        close(before: cluster.key.firstLeaf)
        let parent = open.last
        guard cluster.parent == parent?.record.key,
            cluster.leaves.upperBound <= parent?.record.leaves.upperBound ?? .max
        else { throw .strayCluster(cluster.key) }
        if let parent, parent.block < number { reaches[parent.block].behind.append(cluster) }
        var next = Open(record: cluster, block: number)
        if cluster.leaves.upperBound > end {
            next.outline = (reaches[number].shapes.count, GrowingOutline(of: cluster, layout))
            reaches[number].shapes.append(.empty)
            try next.include(block, layout)
        }
        open.append(next)
    }

    /// Goes over leaves with which no cluster begins.
    private mutating func pass(_ leaves: Range<Int64>, in number: Int) {
        var leaf = leaves.lowerBound
        while leaf < leaves.upperBound {
            close(before: leaf)
            guard let index = open.indices.last else { return }
            let stop = min(leaves.upperBound, open[index].record.leaves.upperBound)
            if open[index].block < number {
                let singles = (leaf..<stop).prefix(ClusterBlock.mostCopies - open[index].copies)
                open[index].copies += singles.count
                for single in singles { want(single, for: open[index].block) }
            }
            leaf = stop
        }
    }

    private mutating func wantFirstLeaves(of leaves: Range<Int64>) {
        for (block, end) in firstLeaves {
            for leaf in leaves.prefix(while: { $0 < end }) { want(leaf, for: block) }
        }
        firstLeaves.removeAll { $0.end <= leaves.upperBound }
    }

    private mutating func want(_ leaf: Int64, for block: Int) {
        guard leaf > reaches[block].worthACopy.last ?? -1 else { return }
        reaches[block].worthACopy.append(leaf)
        wanted.append(Wanted(leaf: leaf, block: block))
    }
}
