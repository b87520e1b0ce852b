import ArchiveContract
import Compression
import Geometry
import Points
import TileArchive
import VectorTile

/// Makes leaf blocks of stretches of leaves, and looks at all nodes in them. One a worker.
struct StretchEncoder: ~Copyable {
    struct Output: Sendable {
        var blocks: [EncodedBlock] = []
        var parts: [Part] = []
    }

    /// What is known of the nodes of one layer.
    struct Part: Sendable {
        let layer: Int
        let account: LayerFacts
        let leaves: LayerStatistics
        let clusters: LayerStatistics
    }

    private let job: CellJob
    private let layout: LeafBlockLayout
    private let opening: UInt8
    private let walked: WalkedBlocks?
    private var encoder: LeafBlockEncoder

    /// - Parameters:
    ///   - job: what is built.
    ///   - layout: how leaves are cut into blocks.
    ///   - walked: what is known of all blocks, where they are to have an index.
    ///   - opening: the zoom that a map begins with.
    init(_ job: CellJob, _ layout: LeafBlockLayout, _ walked: WalkedBlocks?, opening: UInt8) {
        self.job = job
        self.layout = layout
        self.opening = opening
        self.walked = walked
        encoder = LeafBlockEncoder(
            keys: job.keys.names, compression: job.recipe.tiles.compression)
    }

    mutating func encode(_ stretch: LeafWalk.Stretch) -> Output {
        var output = Output()
        let firstLeaves = job.firstLeaves
        for part in stretch.parts {
            output.parts.append(account(of: part, firstLeaf: firstLeaves[part.layer]))
        }
        guard job.recipe.tiles.leaves else { return output }
        for block in stretch.blocks(job, in: layout) {
            guard let walked else {
                output.blocks.append(encoder.encode(block))
                continue
            }
            output.blocks.append(
                encoder.encode(
                    block, walked.reaches[Int(block.number)],
                    copies: walked.copies(for: block.number)))
        }
        return output
    }

    private func account(of part: LeafWalk.Part, firstLeaf: Int) -> Part {
        let layer = job.recipe.layers[part.layer]
        let drawn = part.nodes.drawn(as: layer, .none, firstLeaf: firstLeaf, firstNumber: 0)
        var account = LayerFacts(
            layer.name, firstLeaf: firstLeaf, groupCount: 0,
            attributes: drawn.attributes, extras: job.zooms.extras(of: layer), opening: opening)
        account.include(drawn)
        let values = ClusterValues(of: drawn, ids: job.ids)
        let (leaves, clusters) = (drawn.tree.leafCount, drawn.tree.clusterCount)
        return Part(
            layer: part.layer, account: account,
            leaves: LayerStatistics(of: drawn, values, nodes: 0..<leaves),
            clusters: LayerStatistics(of: drawn, values, nodes: leaves..<leaves + clusters))
    }
}
