import Geometry

/// Cuts the leaves of a layer into blocks, by a walk over its clusters in the order of their keys
/// (docs/archive.md).
///
///     for cluster in clusters { … cutter.addLeaf(…) … cutter.add(cluster: …) }
///     cutter.finish()
package struct BlockCutter: Sendable {
    /// What a block may hold: weight, or in early archives of format 4 leaves.
    private let most: Int64
    package let countsLeaves: Bool
    /// The next leaf.
    package private(set) var leaf: Int64 = 0
    /// Where the block begins that is not finished, and what it holds where it is in a large cluster.
    private var start: Int64 = 0
    private var weight: Int64 = 0
    /// Large clusters that hold the next leaf: which of `large` they are, and where they end.
    private var open: [(index: Int, end: Int64)] = []
    private var roots: SquareCutter
    /// How many leaves the roots have that wait, one behind another.
    private var waiting: [Int64] = []
    /// Where finished blocks end.
    package private(set) var ends: [Int64] = []
    /// By first block, and of those that begin with one the outermost first.
    package private(set) var large: [LargeCluster] = []

    /// - Parameter layout: how many leaves a block may have, where weights do not count.
    package init(_ layout: LeafBlockLayout? = nil) {
        most = layout?.leavesPerBlock ?? LeafWeight.mostOfBlock
        countsLeaves = layout != nil
        roots = SquareCutter(most: most)
    }

    /// Begins within a layer, with a large cluster.
    /// - Parameters:
    ///   - first: its first leaf.
    ///   - ends: where the clusters end that begin before and hold it, the outermost first. They are the first in `large`, of
    ///     which only the last block means something.
    package init(at first: Int64, within ends: [Int64]) {
        self.init()
        (leaf, start) = (first, first)
        for end in ends {
            open.append((large.count, end))
            let nowhere = GridPoint(x: 0, y: 0)
            large.append(LargeCluster(blocks: 0..<0, zoom: 0, position: nowhere, shift: 0))
        }
    }

    /// Takes a leaf that lies in no cluster that is not large.
    /// - Parameters:
    ///   - position: where it lies.
    ///   - weight: what it weighs.
    package mutating func addLeaf(at position: () -> GridPoint, weighing weight: () -> Int64) {
        closeClusters()
        add(1, weighing: countsLeaves ? 1 : weight(), at: position)
    }

    /// Takes a cluster that lies in none that is not large.
    /// - Parameters:
    ///   - position: where it stands.
    ///   - weight: what its leaves weigh, which is asked for unless they are too many.
    ///   - record: its row, which is asked for where it is large.
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
        // What a run of roots had is done.
        guard leaf > start else { return }
        start = leaf
        ends.append(leaf)
    }

    /// Which large clusters hold the next leaf, the outermost first.
    package var unfinished: [Int] { open.map(\.index) }

    /// Ends the last block. Clusters that go on have no more blocks here.
    package mutating func finish() {
        closeClusters()
        endBlock()
        for (index, _) in open {
            large[index].blocks = large[index].blocks.lowerBound..<Int64(ends.count)
        }
    }
}
