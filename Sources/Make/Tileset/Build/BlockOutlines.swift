import ArchiveContract
import Geometry
import Pipelines

/// The hulls of all leaf blocks, from which those of clusters over several blocks follow.
struct BlockOutlines: OutlineSource, Sendable {
    private let drawn: DrawnLayers
    let layout: LeafBlockLayout
    private(set) var hulls: [[GridPoint]] = []

    init(of drawn: DrawnLayers, in layout: LeafBlockLayout, threads: Int) throws {
        self.drawn = drawn
        self.layout = layout
        let count = layout.blockCount(forLeaves: Int64(drawn.leafCount))
        let pieces = PieceCounter(total: Int(count), size: 1)
        var hulls: [[GridPoint]] = []
        try OrderedPipeline(threads: threads).run(
            next: { pieces.next() }, state: {},
            work: { _, piece in
                let leaves = layout.leaves(ofBlock: Int64(piece.lowerBound))
                    .clamped(to: 0..<Int64(drawn.leafCount))
                return GridHull(of: Self.points(leaves, of: drawn)).corners
            },
            consume: { hulls.append($0) })
        self.hulls = hulls
    }

    func outline(ofBlock number: Int64) -> [GridPoint] { hulls[Int(number)] }

    func points(of part: BlockParts.Part) -> [GridPoint] { Self.points(part.leaves, of: drawn) }

    private static func points(_ leaves: Range<Int64>, of drawn: DrawnLayers) -> [GridPoint] {
        var points: [GridPoint] = []
        points.reserveCapacity(leaves.count)
        for (layer, leaves) in drawn.parts(of: Int(leaves.lowerBound)..<Int(leaves.upperBound)) {
            for leaf in leaves {
                points.append(GridPoint(layer.position(ofLeaf: leaf - layer.firstLeaf)))
            }
        }
        return points
    }
}

extension DrawnLayers {
    /// The layers that have leaves in a range, and which these are.
    func parts(of leaves: Range<Int>) -> [(layer: DrawnLayer, leaves: Range<Int>)] {
        layers.compactMap { layer in
            let own = leaves.clamped(
                to: layer.firstLeaf..<layer.firstLeaf + layer.tree.leafCount)
            return own.isEmpty ? nil : (layer, own)
        }
    }

    func layer(ofLeaf leaf: Int) -> DrawnLayer? { parts(of: leaf..<leaf + 1).first?.layer }
}
