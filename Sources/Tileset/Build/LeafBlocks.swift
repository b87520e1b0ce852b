import ArchiveContract
import Compression
import Geometry
import Points
import VectorTile

/// The points of an archive in leaf order, some thousands a block (see `LeafBlockLayout`): what
/// answers questions about the members of clusters.
enum LeafBlocks {
    struct Block: Sendable {
        let number: Int64
        let bytes: [UInt8]
        let hull: [GridPoint]
        /// The clusters that start with one of the block's leaves: their rows in the index.
        let clusters: [ClusterRecord]
    }

    /// Makes blocks. One a worker.
    struct Encoder: ~Copyable {
        private let drawn: DrawnLayers
        private var builder: TileBuilder
        private var compressor: GzipCompressor

        init(of drawn: DrawnLayers, keys names: [String], compression: Int) {
            self.drawn = drawn
            compressor = GzipCompressor(level: compression)
            builder = TileBuilder(keys: names)
        }

        mutating func encode(_ number: Int64) -> Block {
            let all = LeafBlockLayout.leaves(ofBlock: number)
                .clamped(to: 0..<Int64(drawn.leafCount))
            let (start, end) = (Int(all.lowerBound), Int(all.upperBound))
            var places: [WorldPoint] = []
            var clusters: [ClusterRecord] = []
            for layer in drawn.layers {
                let leaves = (start..<end).clamped(
                    to: layer.firstLeaf..<layer.firstLeaf + layer.tree.leafCount)
                guard !leaves.isEmpty else { continue }
                builder.beginLayer(layer.name, extent: LeafBlockLayout.extent)
                for leaf in leaves { places.append(write(leaf - layer.firstLeaf, of: layer)) }
                builder.endLayer()
                layer.appendRecords(ofClustersFrom: leaves, to: &clusters)
            }
            var bytes: [UInt8] = []
            builder.compress(with: &compressor, appendingTo: &bytes)
            builder.removeAll()
            let hull = ConvexHull(of: places).corners.map(GridPoint.init)
            return Block(number: number, bytes: bytes, hull: hull, clusters: clusters)
        }

        private mutating func write(_ leaf: Int, of layer: DrawnLayer) -> WorldPoint {
            let row = Int(layer.leafRows[leaf])
            let position = layer.table.position(of: row)
            let grid = GridPoint(position)
            builder.addPoint(row, of: layer.table, x: grid.x, y: grid.y)
            return position
        }
    }
}
