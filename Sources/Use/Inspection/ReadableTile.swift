import VectorTile

/// A tile with decoded geometries, to be shown.
public struct ReadableTile: Sendable {
    public struct Layer: Sendable {
        public let name: String
        public let version: UInt32
        public let extent: UInt32
        public internal(set) var features: [Feature] = []
    }

    public struct Feature: Sendable {
        public let id: UInt64?
        public let type: GeometryType
        /// Nil if the geometry breaks a rule.
        public let geometry: TileGeometry?
        public internal(set) var tags: [TileTag] = []
    }

    public private(set) var layers: [Layer] = []
    /// The errors of features that were left out, and of geometries.
    public private(set) var skipped: [TileError] = []
    /// Why the tile could not be read to its end.
    public private(set) var fault: TileError?

    public init(_ bytes: Span<UInt8>) {
        do throws(TileError) {
            var reader = try TileReader(bytes)
            while let layer = try reader.nextLayer() { try append(layer) }
        } catch {
            fault = error
        }
    }

    private mutating func append(_ view: borrowing LayerView) throws(TileError) {
        layers.append(Layer(name: view.name, version: view.version, extent: view.extent))
        var features = view.features()
        while let feature = try features.next() {
            let unpacked = try unpack(feature, of: view)
            layers[layers.count - 1].features.append(unpacked)
        }
        skipped += features.skipped
    }

    private mutating func unpack(
        _ view: borrowing FeatureView, of layer: borrowing LayerView
    ) throws(TileError) -> Feature {
        var geometry: TileGeometry?
        do throws(TileError) {
            geometry = try view.geometry()
        } catch {
            guard error.isRecoverable else { throw error }
            skipped.append(error)
        }
        var feature = Feature(id: view.id, type: view.type, geometry: geometry)
        var tags = view.tags()
        while let tag = try tags.next() {
            feature.tags.append(
                TileTag(layer.key(at: tag.key), layer.value(at: tag.value).value))
        }
        return feature
    }
}
