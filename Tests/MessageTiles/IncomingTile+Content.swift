import CProtobufC
import CVectorTile
import VectorTile

extension IncomingTile {
    /// The tile's content.
    /// - Parameter indices: for each layer the features to keep.
    func tile(keeping indices: [[Int]]) -> Tile {
        let layers = unsafe layers
        var tile = Tile()
        for (index, kept) in indices.enumerated() {
            guard let layer = unsafe layers[index] else { continue }
            unsafe tile.layers.append(Self.layer(layer.pointee, keeping: kept))
        }
        return tile
    }

    private static func layer(
        _ message: VectorTile__Tile__Layer, keeping kept: [Int]
    ) -> Tile.Layer {
        let keys = unsafe UnsafeBufferPointer(start: message.keys, count: message.n_keys).map {
            unsafe text($0)
        }
        let values = unsafe UnsafeBufferPointer(start: message.values, count: message.n_values)
            .map { unsafe value($0!.pointee) }
        let extent = unsafe message.has_extent != 0 ? message.extent : 4096
        var layer = unsafe Tile.Layer(
            name: text(message.name), version: message.version, extent: extent)
        for index in kept {
            let feature = unsafe message.features[index]!.pointee
            let tags = unsafe UnsafeBufferPointer(start: feature.tags, count: feature.n_tags)
            let pairs = stride(from: 0, to: tags.count, by: 2).map { first in
                unsafe Tile.Tag(keys[Int(tags[first])], values[Int(tags[first + 1])])
            }
            unsafe layer.features.append(self.feature(feature, tags: pairs))
        }
        return layer
    }

    private static func feature(
        _ message: VectorTile__Tile__Feature, tags: [Tile.Tag]
    ) -> Tile.Feature {
        let type = unsafe message.has_type != 0 ? message.type.rawValue : 0
        return unsafe Tile.Feature(
            id: message.has_id != 0 ? message.id : nil,
            type: GeometryType(rawValue: UInt8(type)) ?? .unknown,
            geometry: [UInt32](
                UnsafeBufferPointer(start: message.geometry, count: message.n_geometry)),
            tags: tags)
    }
}
