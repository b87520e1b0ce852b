import Basics
import VectorTile

/// A tile in memory of its own, which tests make, read and change.
public struct Tile: Hashable, Sendable {
    public var layers: [Layer]

    public init(layers: [Layer] = []) { self.layers = layers }

    /// A layer (MVT 4.1).
    public struct Layer: Hashable, Sendable {
        public var name: String
        public var version: UInt32
        public var extent: UInt32
        public var features: [Feature]

        public init(
            name: String, version: UInt32 = 2, extent: UInt32 = 4096, features: [Feature] = []
        ) {
            self.name = name
            self.version = version
            self.extent = extent
            self.features = features
        }
    }

    /// A feature of a layer (MVT 4.2).
    public struct Feature: Hashable, Sendable {
        public var id: UInt64?
        public var type: GeometryType
        /// The geometry as commands and parameters (MVT 4.3), so that an invalid one is kept, too.
        public var geometry: [UInt32]
        public var tags: [Tag]

        public init(
            id: UInt64? = nil, type: GeometryType, geometry: [UInt32], tags: [Tag] = []
        ) {
            self.id = id
            self.type = type
            self.geometry = geometry
            self.tags = tags
        }

        public init(id: UInt64? = nil, _ geometry: TileGeometry, tags: [Tag] = []) {
            self.init(id: id, type: geometry.type, geometry: geometry.integers, tags: tags)
        }
    }

    public typealias Tag = TileTag
}

extension TileBuilder {
    /// Adds a whole tile.
    public mutating func append(_ tile: Tile) {
        for layer in tile.layers {
            beginLayer(layer.name, extent: layer.extent, version: layer.version)
            for feature in layer.features {
                var packed: [UInt8] = []
                for integer in feature.geometry { Varint.append(UInt64(integer), to: &packed) }
                beginFeature(id: feature.id, type: feature.type, packedGeometry: packed.span)
                for tag in feature.tags { addTag(key(tag.key), tag.value) }
                endFeature()
            }
            endLayer()
        }
    }
}
