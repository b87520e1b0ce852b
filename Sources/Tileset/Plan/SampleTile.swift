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
            let position = layer.table.position(of: row)
            // Only the last bits of a position vary within a tile.
            builder.addPoint(
                row, of: layer.table, x: Int32(TileGrid.fixed(position.x) & 0xFFF),
                y: Int32(TileGrid.fixed(position.y) & 0xFFF))
        }
        builder.endLayer()
        var compressor = GzipCompressor(level: compression)
        return compressor.compress(builder.bytes).count
    }
}
