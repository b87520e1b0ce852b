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
    private var builder: TileBuilder
    private var compressor: GzipCompressor

    init(_ job: CellJob, _ layout: LeafBlockLayout, opening: UInt8) {
        self.job = job
        self.layout = layout
        self.opening = opening
        builder = TileBuilder(keys: job.keys.names)
        compressor = GzipCompressor(level: job.recipe.tiles.compression)
    }

    mutating func encode(_ stretch: LeafWalk.Stretch) -> Output {
        var output = Output()
        let firstLeaves = job.firstLeaves
        for part in stretch.parts {
            output.parts.append(account(of: part, firstLeaf: firstLeaves[part.layer]))
        }
        guard job.recipe.tiles.leaves else { return output }
        let leaves = Int64(stretch.leaves.lowerBound)..<Int64(stretch.leaves.upperBound)
        for part in BlockParts(of: leaves, in: layout) {
            output.blocks.append(block(part.block, part.leaves, of: stretch, firstLeaves))
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

    private mutating func block(
        _ number: Int64, _ leaves: Range<Int64>, of stretch: LeafWalk.Stretch,
        _ firstLeaves: [Int]
    ) -> EncodedBlock {
        var clusters: [ClusterRecord] = []
        var points: [GridPoint] = []
        for part in stretch.parts {
            let first = firstLeaves[part.layer]
            let nodes = part.nodes
            let start = first + Int(nodes.leafNumbers[0])
            let rows = (Int(leaves.lowerBound) - start..<Int(leaves.upperBound) - start)
                .clamped(to: 0..<nodes.points.count)
            guard !rows.isEmpty else { continue }
            builder.beginLayer(job.recipe.layers[part.layer].name, extent: LeafBlockLayout.extent)
            for row in rows {
                let grid = GridPoint(nodes.points.position(of: row))
                points.append(grid)
                builder.addPoint(row, of: nodes.points, x: grid.x, y: grid.y)
            }
            builder.endLayer()
            append(part, leaves, first, to: &clusters)
        }
        var bytes: [UInt8] = []
        builder.compress(with: &compressor, appendingTo: &bytes)
        builder.removeAll()
        return EncodedBlock(
            number: number, leaves: bytes, hull: GridHull(of: points).corners, clusters: clusters)
    }

    /// Appends the rows of the clusters that begin with some leaves.
    private func append(
        _ part: LeafWalk.Part, _ leaves: Range<Int64>, _ first: Int,
        to records: inout [ClusterRecord]
    ) {
        let nodes = part.nodes.nodes
        for cluster in 0..<nodes.firsts.count {
            let leaf = Int64(first) + Int64(nodes.firsts[cluster])
            guard leaves.contains(leaf) else { continue }
            records.append(
                ClusterRecord(
                    key: ClusterKey(firstLeaf: leaf, zoom: UInt8(nodes.zooms[cluster])),
                    leafCount: Int64(nodes.leaves[cluster]),
                    position: GridPoint(
                        WorldPoint(x: nodes.xs[cluster], y: nodes.ys[cluster])),
                    parent: part.parents[cluster]))
        }
    }
}
