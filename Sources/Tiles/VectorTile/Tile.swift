/// A tile in memory of its own, for reading and changing single tiles.
///
/// If there are many tiles, read them in place with `TileReader` and write them with `TileBuilder`.
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

    /// An attribute of a feature, its key and value looked up (MVT 4.4).
    public struct Tag: Hashable, Sendable {
        public var key: String
        public var value: TileValue

        public init(_ key: String, _ value: TileValue) {
            self.key = key
            self.value = value
        }
    }
}
