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

    /// Where a leaf lies, as text.
    func place(of leaf: Int) -> String { layer.position(ofLeaf: leaf).lonLat.jsonText }
}

/// Encodes blocks of leaves. Each worker has its own.
struct LeafBlockEncoder: ~Copyable {
    private let names: [String]
    private var builder: TileBuilder
    private var compressor: GzipCompressor

    init(keys names: [String], compression: Int) {
        self.names = names
        builder = TileBuilder(keys: names)
        compressor = GzipCompressor(level: compression)
    }

    mutating func encode(_ block: LeafBlock) throws(BuildError) -> EncodedBlock {
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
        let index = ClusterBlock(
            leaves: block.leaves, hull: GridHull(wrapping: places).corners, rows: block.clusters)
        let encoded = EncodedBlock(index, points: points, with: &compressor)
        try check(block, stored: encoded.bytes.count)
        builder.removeAll()
        return encoded
    }

    /// Throws if readers would refuse a block, or one of its points by itself.
    private func check(_ block: LeafBlock, stored: Int) throws(BuildError) {
        let excess = builder.excess(stored: stored)
        let most = LeafBlockLayout.largestLeaf
        guard excess != nil || builder.bytes.count > most else { return }
        var all = AttributeBytes(names)
        for leaf in block.own {
            var own = AttributeBytes(names)
            block.layer.table.attributes.withRecord(of: Int(block.layer.leafRows[leaf])) {
                own.include($0)
                all.include($0)
            }
            guard own.total > most else { continue }
            throw .tooLarge(
                "\(block.layer.name): the point at \(block.place(of: leaf))", bytes: own.total,
                most: most, attribute: own.heaviest)
        }
        guard let excess else { return }
        throw .tooLarge(
            "\(block.layer.name): a block of \(block.own.count) points around "
                + block.place(of: block.own.lowerBound), bytes: excess.bytes, most: excess.most,
            attribute: all.heaviest)
    }
}
