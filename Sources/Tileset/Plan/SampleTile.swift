import Compression
import Points
import VectorTile

/// A tile made to learn how large it would be.
enum SampleTile {
    /// The compressed size of a tile with these points of a layer.
    static func bytes(of layer: DrawnLayer, leaves: [UInt32], compression: Int) -> Int {
        var builder = TileBuilder(keys: layer.table.attributes.keys.names)
        builder.beginLayer(layer.name)
        for leaf in leaves {
            let row = Int(layer.tree.leafRows[Int(leaf) - layer.firstLeaf])
            let place = layer.table.position(of: row)
            let id = layer.table.ids.map { $0[row] } ?? PointTable.noID
            // Only the last bits of a place vary within a tile.
            builder.beginPoint(
                id: id == PointTable.noID ? nil : id,
                x: Int32(TileGrid.fixed(place.x) & 0xFFF), y: Int32(TileGrid.fixed(place.y) & 0xFFF)
            )
            layer.table.attributes.withRecord(of: row) { builder.addTags(of: $0) }
            builder.endFeature()
        }
        builder.endLayer()
        var compressor = GzipCompressor(level: compression)
        return compressor.compress(builder.bytes).count
    }
}
