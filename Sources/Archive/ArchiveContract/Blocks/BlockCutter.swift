import Geometry

/// Cuts the leaves of a layer into blocks, by a walk over its clusters in the order of their keys
/// (docs/archive.md).
///
///     for cluster in clusters { … cutter.addLeaf(…) … cutter.add(cluster: …) }
///     cutter.finish()
package struct BlockCutter: Sendable {
    /// The most that a block may hold: weight, or leaves in early archives of format 4.
    private let most: Int64
    package let countsLeaves: Bool
    /// The next leaf.
    package private(set) var leaf: Int64 = 0
    /// The first leaf of the unfinished block, and the weight of that block if it is in a large cluster.
    private var start: Int64 = 0
    private var weight: Int64 = 0
    /// The large clusters that hold the next leaf: their indexes in `large`, and their ends.
    private var open: [(index: Int, end: Int64)] = []
    private var roots: SquareCutter
    /// The numbers of leaves of the waiting roots, in their order.
    private var waiting: [Int64] = []
    /// The ends of the finished blocks.
    package private(set) var ends: [Int64] = []
    /// By first block; of those that begin with the same block, the outermost first.
    package private(set) var large: [LargeCluster] = []

    /// - Parameter mostLeaves: how many leaves a block may have, if weights do not count.
    package init(mostLeaves: Int64? = nil) {
        most = mostLeaves ?? LeafWeight.mostOfBlock
        countsLeaves = mostLeaves != nil
        roots = SquareCutter(most: most)
    }

    /// Begins within a layer, with a large cluster.
    /// - Parameters:
    ///   - first: the first leaf of that cluster.
    ///   - ends: the ends of the clusters that begin earlier and hold it, the outermost first. They come first in
    ///     `large`, with only their last block set.
    package init(at first: Int64, within ends: [Int64]) {
        self.init()
        (leaf, start) = (first, first)
        for end in ends {
            open.append((large.count, end))
            let nowhere = GridPoint(x: 0, y: 0)
            large.append(LargeCluster(blocks: 0..<0, zoom: 0, position: nowhere, shift: 0))
        }
    }

    /// Adds a leaf that lies in no cluster but large ones.
    /// - Parameters:
    ///   - position: returns the leaf's position.
    ///   - weight: returns the leaf's weight.
    package mutating func addLeaf(at position: () -> GridPoint, weighing weight: () -> Int64) {
        closeClusters()
        add(1, weighing: countsLeaves ? 1 : weight(), at: position)
    }

    /// Adds a cluster that lies in no cluster but large ones.
    /// - Parameters:
    ///   - count: the number of its leaves.
    ///   - position: returns its position.
    ///   - weight: returns the weight of its leaves; not called if there are too many.
    ///   - record: returns its row; called only if it is large.
    package mutating func add(
        cluster count: Int64, at position: () -> GridPoint, weighing weight: () -> Int64,
        record: () -> ClusterRecord
    ) {
        closeClusters()
        let isTooMany = count > LeafBlockLayout.mostLeaves
        let weight = countsLeaves || isTooMany ? count : weight()
        guard isTooMany || weight > most else {
            return add(count, weighing: weight, at: position)
        }
        endBlock()
        let (begin, row) = (Int64(ends.count), record())
        open.append((large.count, leaf + count))
        large.append(
            LargeCluster(
                blocks: begin..<begin, zoom: row.key.zoom, position: row.position, shift: row.shift)
        )
    }

    private mutating func add(
        _ count: Int64, weighing more: Int64, at position: () -> GridPoint
    ) {
        if open.isEmpty {
            waiting.append(count)
            endRuns(roots.add(SquareCutter.key(of: position()), weighing: more))
        } else {
            if weight + more > most { endBlock() }
            weight += more
        }
        leaf += count
    }

    private mutating func endRuns(_ runs: [Int]) {
        for count in runs {
            start += waiting.prefix(count).reduce(0, +)
            waiting.removeFirst(count)
            ends.append(start)
        }
    }

    private mutating func closeClusters() {
        while let (index, end) = open.last, end <= leaf {
            endBlock()
            large[index].blocks = large[index].blocks.lowerBound..<Int64(ends.count)
            open.removeLast()
        }
    }

    private mutating func endBlock() {
        if open.isEmpty { endRuns(roots.finish()) }
        weight = 0
        // The leaves of a run of roots are in finished blocks already.
        guard leaf > start else { return }
        start = leaf
        ends.append(leaf)
    }

    /// The indexes of the large clusters that hold the next leaf, the outermost first.
    package var unfinished: [Int] { open.map(\.index) }

    /// Ends the last block. Clusters that go on have no more blocks in this part.
    package mutating func finish() {
        closeClusters()
        endBlock()
        for (index, _) in open {
            large[index].blocks = large[index].blocks.lowerBound..<Int64(ends.count)
        }
    }
}
