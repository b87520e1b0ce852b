import ArchiveContract
import Geometry
import Points

/// A source of finished leaves and their clusters, in their order: a tree in memory, or the files
/// of cells.
protocol LeafSource: Sendable {
    associatedtype Piece: Sendable
    /// The next piece, which consists of whole blocks; nil after the last.
    func next() throws -> Piece?
    /// The contents of a piece. Workers call this.
    func stretch(of piece: Piece) -> LeafStretch
}

/// Consecutive leaves of a layer, and the clusters that begin with them.
struct LeafStretch: Sendable {
    /// The index of the layer.
    let index: Int
    let layer: DrawnLayer
    /// The range of the layer's leaves.
    let leaves: Range<Int>
    /// The number of the first leaf in the archive.
    let firstLeaf: Int64
    /// The range of the layer's clusters.
    let clusters: Range<Int>
    /// The number of leaves in each of its blocks.
    let blocks: [Int]

    /// The least number of leaves in a stretch; only a layer's last one has fewer.
    static let size = 4 * Int(LeafBlockLayout.mostLeaves)

    /// The blocks, with the clusters that lie in each: all but the large ones.
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
            return LeafBlock(
                layer: layer, own: leaf..<leaf + count, leaves: own, clusters: rows)
        }
    }
}

extension DrawnLayer {
    /// The key of a cluster in the archive.
    func key(of cluster: Int) -> ClusterKey {
        ClusterKey(
            firstLeaf: Int64(firstLeaf) + Int64(firsts[cluster]), zoom: UInt8(zooms[cluster]))
    }

    /// The row of a cluster, without its parent.
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
    /// Adds leaves of a layer, and the clusters that begin with them.
    /// - Parameters:
    ///   - end: the leaf to stop before. Clusters that reach further have more leaves than a block.
    ///   - offset: the number of the layer's first leaf here.
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
            // A cluster that lies in the one before is passed already.
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

/// The leaves of a tree in memory.
struct TreeLeaves: LeafSource {
    private let drawn: DrawnLayers
    private let pieces: PieceCounter
    /// Pieces of a layer, with the number of leaves in each block.
    private var stretches: [(layer: Int, leaves: Range<Int>, blocks: [Int])] = []
    private(set) var large: [LargeCluster] = []

    /// - Parameter withBlocks: whether blocks are made; if not, leaves need not be weighed.
    init(of drawn: DrawnLayers, withBlocks: Bool, threads: Int) {
        self.drawn = drawn
        var blockCount: Int64 = 0
        for (index, layer) in drawn.layers.enumerated() {
            var cutter = BlockCutter(mostLeaves: withBlocks ? nil : LeafBlockLayout.mostLeaves)
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
