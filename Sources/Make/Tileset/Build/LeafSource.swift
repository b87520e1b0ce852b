import ArchiveContract
import Geometry
import Points

/// Where finished leaves and their clusters come from, in their order: a tree in memory, or the files of
/// cells.
protocol LeafSource: Sendable {
    associatedtype Piece: Sendable
    /// The next piece, whose leaves are whole blocks; nil behind the last.
    func next() throws -> Piece?
    /// What is in a piece. Workers ask.
    func stretch(of piece: Piece) -> LeafStretch
}

/// Some leaves that follow one another, and the clusters that begin with them.
struct LeafStretch: Sendable {
    /// Those of one layer.
    struct Part: Sendable {
        /// Which layer it is.
        let index: Int
        let layer: DrawnLayer
        /// Which of the layer's leaves they are.
        let leaves: Range<Int>
        /// The number of the first in the archive.
        let firstLeaf: Int64
        /// Which of the layer's clusters they are.
        let clusters: Range<Int>
        /// What each of these goes into.
        let parents: [ClusterKey?]
    }

    /// Numbers in the archive.
    let leaves: Range<Int64>
    let parts: [Part]

    /// How many leaves a stretch has: some whole blocks of them.
    static func size(in layout: LeafBlockLayout) -> Int {
        let blocks = max(1, 4 * LeafBlockLayout.mostLeaves / layout.leavesPerBlock)
        return Int(blocks * layout.leavesPerBlock)
    }

    /// The blocks that it consists of.
    func blocks(in layout: LeafBlockLayout) -> [LeafBlock] {
        // Where the clusters of each part go on.
        var next = parts.map(\.clusters.lowerBound)
        return BlockParts(of: leaves, in: layout).map { block in
            var runs: [LeafRun] = []
            var clusters: [ClusterRecord] = []
            for (index, part) in parts.enumerated() {
                guard let run = part.run(of: block.leaves) else { continue }
                runs.append(run)
                while next[index] < part.clusters.upperBound {
                    let record = part.record(of: next[index])
                    guard record.key.firstLeaf < block.leaves.upperBound else { break }
                    clusters.append(record)
                    next[index] += 1
                }
            }
            return LeafBlock(
                number: block.block, leaves: block.leaves, runs: runs, clusters: clusters)
        }
    }
}

extension LeafStretch.Part {
    /// Those of some leaves that are here; nil if none is.
    fileprivate func run(of wanted: Range<Int64>) -> LeafRun? {
        let own = wanted.clamped(to: firstLeaf..<firstLeaf + Int64(leaves.count))
        guard !own.isEmpty else { return nil }
        let first = leaves.lowerBound + Int(own.lowerBound - firstLeaf)
        return LeafRun(
            layer: layer.name, table: layer.table,
            rows: (first..<first + own.count).map { layer.leafRows[$0] })
    }

    fileprivate func record(of cluster: Int) -> ClusterRecord {
        let tree = layer.tree
        let position = GridPoint(WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster]))
        let grid = NameGrid(zoom: Int(tree.zooms[cluster]), fineness: layer.fineness)
        return ClusterRecord(
            key: layer.key(of: cluster), leafCount: Int64(tree.leaves[cluster]),
            position: position, parent: parents[cluster - clusters.lowerBound],
            shift: PlaceID(layer.ids[cluster]).map { grid.shift(of: $0, from: position) } ?? 0)
    }
}

extension DrawnLayer {
    /// The key of a cluster in the archive.
    func key(of cluster: Int) -> ClusterKey {
        ClusterKey(
            firstLeaf: Int64(firstLeaf) + Int64(firsts[cluster]), zoom: UInt8(zooms[cluster]))
    }
}

/// The leaves of a tree that is in memory.
struct TreeLeaves: LeafSource {
    private let drawn: DrawnLayers
    private let pieces: PieceCounter

    init(of drawn: DrawnLayers, in layout: LeafBlockLayout) {
        self.drawn = drawn
        pieces = PieceCounter(total: drawn.leafCount, size: LeafStretch.size(in: layout))
    }

    func next() -> Range<Int>? { pieces.next() }

    func stretch(of piece: Range<Int>) -> LeafStretch {
        let parts = drawn.layers.enumerated().compactMap { index, layer -> LeafStretch.Part? in
            let first = layer.firstLeaf
            let own = piece.clamped(to: first..<first + layer.tree.leafCount)
            guard !own.isEmpty else { return nil }
            let leaves = own.lowerBound - first..<own.upperBound - first
            let clusters = layer.tree.clusters(startingIn: leaves)
            return LeafStretch.Part(
                index: index, layer: layer, leaves: leaves, firstLeaf: Int64(own.lowerBound),
                clusters: clusters,
                parents: clusters.map { cluster in
                    layer.tree.parent(of: .cluster(cluster)).map { layer.key(of: $0) }
                })
        }
        return LeafStretch(leaves: Int64(piece.lowerBound)..<Int64(piece.upperBound), parts: parts)
    }
}
