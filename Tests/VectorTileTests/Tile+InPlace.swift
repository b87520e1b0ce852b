import MessageTiles
import VectorTile

extension Tile {
    /// The tile as the reader in place sees it.
    init(inPlace bytes: Span<UInt8>) throws(TileError) {
        self.init()
        var reader = try TileReader(bytes)
        while let view = try reader.nextLayer() {
            var layer = Layer(name: view.name, version: view.version, extent: view.extent)
            var features = view.features()
            while let feature = try features.next() {
                layer.features.append(try Feature(feature, in: view))
            }
            layers.append(layer)
        }
    }
}

extension Tile.Feature {
    fileprivate init(
        _ view: borrowing FeatureView, in layer: borrowing LayerView
    ) throws(TileError) {
        var cursor = view.tags()
        var tags: [Tile.Tag] = []
        while let tag = try cursor.next() {
            tags.append(Tile.Tag(layer.key(at: tag.key), layer.value(at: tag.value).value))
        }
        self.init(
            id: view.id, type: view.type, geometry: integers(view.packedGeometry), tags: tags)
    }
}

/// The varints in a packed field.
private func integers(_ bytes: Span<UInt8>) -> [UInt32] {
    var integers: [UInt32] = []
    var integer: UInt64 = 0
    var shift: UInt64 = 0
    for index in bytes.indices {
        integer |= UInt64(bytes[index] & 0x7F) << shift
        shift += 7
        guard bytes[index] < 0x80 else { continue }
        integers.append(UInt32(truncatingIfNeeded: integer))
        integer = 0
        shift = 0
    }
    return integers
}
