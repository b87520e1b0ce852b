import ArchiveContract
import Compression
import Geometry
import Points
import TileArchive
import VectorTile

/// The points of an archive in leaf order, some thousands a block (see `LeafBlockLayout`): what
/// answers questions about the members of clusters.
enum LeafBlocks {
    /// Makes blocks. One a worker.
    struct Encoder: ~Copyable {
        private let drawn: DrawnLayers
        private let outlines: BlockOutlines
        private let withIndex: Bool
        private var builder: TileBuilder
        private var compressor: GzipCompressor

        init(
            of drawn: DrawnLayers, _ outlines: BlockOutlines, withIndex: Bool,
            keys names: [String], compression: Int
        ) {
            self.drawn = drawn
            self.outlines = outlines
            self.withIndex = withIndex
            compressor = GzipCompressor(level: compression)
            builder = TileBuilder(keys: names)
        }

        mutating func encode(_ number: Int64) -> EncodedBlock {
            let all = outlines.layout.leaves(ofBlock: number)
                .clamped(to: 0..<Int64(drawn.leafCount))
            var clusters: [ClusterRecord] = []
            for (layer, leaves) in drawn.parts(of: Int(all.lowerBound)..<Int(all.upperBound)) {
                builder.beginLayer(layer.name, extent: LeafBlockLayout.extent)
                for leaf in leaves { write(leaf - layer.firstLeaf, of: layer) }
                builder.endLayer()
                layer.appendRecords(ofClustersFrom: leaves, to: &clusters)
            }
            var bytes: [UInt8] = []
            builder.compress(with: &compressor, appendingTo: &bytes)
            builder.removeAll()
            let hull = outlines.hulls[Int(number)]
            guard withIndex else {
                return EncodedBlock(
                    number: number, leaves: bytes, hull: hull, clusters: clusters)
            }
            var block = ClusterBlock(number: number, leaves: all, hull: hull, rows: clusters)
            addWhatReachesOver(to: &block)
            return EncodedBlock(block, leaves: bytes, with: &compressor)
        }

        /// Adds the clusters around the block's first leaf, the children of its clusters that begin
        /// in later blocks, and the shapes of these clusters.
        private mutating func addWhatReachesOver(to block: inout ClusterBlock) {
            guard let first = drawn.layer(ofLeaf: Int(block.leaves.lowerBound)),
                let last = drawn.layer(ofLeaf: Int(block.leaves.upperBound) - 1)
            else { return }
            var outlines = outlines
            for record in block.rows where block.reachesOver(record) {
                block.shapes.append(outlines.outlineShape(of: record))
            }
            let behind = last.children(
                ofClustersIn: block.leaves, behind: block.leaves.upperBound)
            block.rows =
                first.records(around: block.leaves.lowerBound) + block.rows
                + behind.clusters
            let leaves = block.leavesToCopy(children: behind.leaves)
            let weights = leaves.lazy.map { last.weight(ofLeaf: Int($0) - last.firstLeaf) }
            block.copied = Array(leaves.prefix(ClusterBlock.copies(ofLeavesWeighing: weights)))
            guard !block.copied.isEmpty else { return }
            builder.beginLayer(last.name, extent: LeafBlockLayout.extent)
            for leaf in block.copied { write(Int(leaf) - last.firstLeaf, of: last) }
            builder.endLayer()
            block.copies = builder.copyBytes()
            builder.removeAll()
        }

        private mutating func write(_ leaf: Int, of layer: DrawnLayer) {
            let grid = GridPoint(layer.position(ofLeaf: leaf))
            builder.addPoint(Int(layer.leafRows[leaf]), of: layer.table, x: grid.x, y: grid.y)
        }
    }
}
