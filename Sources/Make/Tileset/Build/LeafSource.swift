import ArchiveContract
import Geometry
import Points

/// Where finished leaves and their clusters come from, in their order: a tree in memory, or the files of
/// cells.
protocol LeafSource: Sendable {
    associatedtype Piece: Sendable
    /// The next piece, which is some whole blocks; nil behind the last.
    func next() throws -> Piece?
    /// What is in a piece. Workers ask.
    func stretch(of piece: Piece) -> LeafStretch
}

/// Some leaves of a layer that follow one another, and the clusters that begin with them.
struct LeafStretch: Sendable {
    /// Which layer it is.
    let index: Int
    let layer: DrawnLayer
    /// Which of the layer's leaves they are.
    let leaves: Range<Int>
    /// The number of the first in the archive.
    let firstLeaf: Int64
    /// Which of the layer's clusters they are.
    let clusters: Range<Int>
    /// How many leaves each of its blocks has.
    let blocks: [Int]

    /// How many leaves a stretch has, or somewhat more.
    static let size = 4 * Int(LeafBlockLayout.mostLeaves)

    /// The blocks, with the clusters that lie in each: all that are not large.
    var encodable: [LeafBlock] {
        var cluster = clusters.lowerBound
        var leaf = leaves.lowerBound
        return blocks.map { count in
            defer { leaf += count }
            let first = firstLeaf + Int64(leaf - leaves.lowerBound)
            let own = first..<first + Int64(count)
            var rows: [ClusterRecord] = []
            while cluster < clusters.upperBound {
                let key = layer.key(of: cluster)
                guard key.firstLeaf < own.upperBound else { break }
                if key.firstLeaf + Int64(layer.leaves[cluster]) <= own.upperBound {
                    rows.append(layer.record(of: cluster))
                }
                cluster += 1
            }
            let run = LeafRun(
                layer: layer.name, table: layer.table,
                rows: (leaf..<leaf + count).map { layer.leafRows[$0] })
            return LeafBlock(leaves: own, run: run, clusters: rows)
        }
    }
}

extension DrawnLayer {
    /// The key of a cluster in the archive.
    func key(of cluster: Int) -> ClusterKey {
        ClusterKey(
            firstLeaf: Int64(firstLeaf) + Int64(firsts[cluster]), zoom: UInt8(zooms[cluster]))
    }

    /// Its row, but for what it goes into.
    func record(of cluster: Int) -> ClusterRecord {
        let position = GridPoint(WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster]))
        let grid = NameGrid(zoom: Int(zooms[cluster]), fineness: fineness)
        return ClusterRecord(
            key: key(of: cluster), leafCount: Int64(leaves[cluster]), position: position,
            parent: nil,
            shift: PlaceID(ids[cluster]).map { grid.shift(of: $0, from: position) } ?? 0)
    }
}

extension BlockCutter {
    /// Goes over leaves of a layer, and the clusters that begin with them.
    /// - Parameters:
    ///   - end: the first leaf that it does not go over. Clusters that reach further have more leaves than a block.
    ///   - offset: the number of the first leaf that the layer has here.
    mutating func cross(
        _ layer: DrawnLayer, _ clusters: Range<Int>, upTo end: Int64, offset: Int64 = 0,
        threads: Int
    ) {
        let (xs, ys) = (layer.tree.xs, layer.tree.ys)
        let weights = countsLeaves ? LeafWeightSums() : layer.weights(threads: threads)
        func addLeaves(upTo end: Int64) {
            while leaf < end {
                let index = Int(leaf - offset)
                addLeaf(at: { GridPoint(layer.position(ofLeaf: index)) }) {
                    weights(index..<index + 1)
                }
            }
        }
        for cluster in clusters {
            let first = Int64(layer.firsts[cluster])
            // What lies in a cluster that came is passed already.
            guard first >= leaf else { continue }
            addLeaves(upTo: first)
            add(
                cluster: Int64(layer.leaves[cluster]),
                at: { GridPoint(WorldPoint(x: xs[cluster], y: ys[cluster])) },
                weighing: {
                    let start = Int(first - offset)
                    return weights(start..<start + Int(layer.leaves[cluster]))
                },
                record: { layer.record(of: cluster) })
        }
        addLeaves(upTo: end)
    }
}

/// The leaves of a tree that is in memory.
struct TreeLeaves: LeafSource {
    private let drawn: DrawnLayers
    private let pieces: PieceCounter
    /// Some blocks of a layer: how many leaves each has.
    private var stretches: [(layer: Int, leaves: Range<Int>, blocks: [Int])] = []
    private(set) var large: [LargeCluster] = []

    /// - Parameter withBlocks: whether blocks are made: where none are, leaves need not be weighed.
    init(of drawn: DrawnLayers, withBlocks: Bool, threads: Int) {
        self.drawn = drawn
        var blockCount: Int64 = 0
        for (index, layer) in drawn.layers.enumerated() {
            var cutter = BlockCutter(withBlocks ? nil : .usual)
            cutter.cross(
                layer, 0..<layer.tree.clusterCount, upTo: Int64(layer.tree.leafCount),
                threads: threads)
            cutter.finish()
            for cluster in cutter.large { large.append(cluster.moved(by: blockCount)) }
            blockCount += Int64(cutter.ends.count)
            var (start, first): (Int, Int) = (0, 0)
            var blocks: [Int] = []
            for end in cutter.ends.map({ Int($0) }) {
                blocks.append(end - start)
                start = end
                guard end - first >= LeafStretch.size || end == layer.tree.leafCount else {
                    continue
                }
                stretches.append((index, first..<end, blocks))
                (first, blocks) = (end, [])
            }
        }
        pieces = PieceCounter(total: stretches.count, size: 1)
    }

    func next() -> Int? { pieces.next()?.lowerBound }

    func stretch(of piece: Int) -> LeafStretch {
        let (index, leaves, blocks) = stretches[piece]
        let layer = drawn.layers[index]
        return LeafStretch(
            index: index, layer: layer, leaves: leaves,
            firstLeaf: Int64(layer.firstLeaf + leaves.lowerBound),
            clusters: layer.tree.clusters(startingIn: leaves), blocks: blocks)
    }
}
