import ArchiveContract
import Compression
import Geometry
import Points
import TileArchive
import VectorTile

/// The points of a block in leaf order, and the clusters that lie in it: the data for questions
/// about the members of clusters (docs/archive.md).
struct LeafBlock: Sendable {
    let layer: DrawnLayer
    /// The range of the layer's leaves, and their numbers in the archive.
    let own: Range<Int>
    let leaves: Range<Int64>
    let clusters: [ClusterRecord]
}

/// Encodes blocks of leaves. Each worker has its own.
struct LeafBlockEncoder: ~Copyable {
    private var builder: TileBuilder
    private var compressor: GzipCompressor

    init(keys names: [String], compression: Int) {
        builder = TileBuilder(keys: names)
        compressor = GzipCompressor(level: compression)
    }

    mutating func encode(_ block: LeafBlock) -> EncodedBlock {
        let layer = block.layer
        builder.beginLayer(layer.name, extent: LeafBlockLayout.extent)
        var places: [GridPoint] = []
        for leaf in block.own {
            let place = GridPoint(layer.position(ofLeaf: leaf))
            builder.addPoint(Int(layer.leafRows[leaf]), of: layer.table, x: place.x, y: place.y)
            places.append(place)
        }
        builder.endLayer()
        var points: [UInt8] = []
        builder.compress(with: &compressor, appendingTo: &points)
        builder.removeAll()
        let index = ClusterBlock(
            leaves: block.leaves, hull: GridHull(wrapping: places).corners, rows: block.clusters)
        return EncodedBlock(index, points: points, with: &compressor)
    }
}
