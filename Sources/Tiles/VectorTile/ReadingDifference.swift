/// A part of a tile that protobuf-c and the reader in place read differently.
public struct ReadingDifference: Equatable, Sendable {
    public enum Part: String, Sendable, CaseIterable {
        /// protobuf-c refuses bytes that the reader in place accepts as a tile.
        case refused = "protobuf-c refuses the tile"
        /// protobuf-c would need more memory than it is given.
        case memory = "protobuf-c lacks the memory to unpack the tile"
        case layerCount = "the number of layers"
        case layerHead = "a layer's name, version or extent"
        case keys = "a layer's keys"
        case values = "a layer's values"
        case featureCount = "the number of features"
        case featureHead = "a feature's id or type"
        case tags = "a feature's tags"
        case geometry = "a feature's geometry"
    }

    public let part: Part
    /// The layer's index in the tile, and the feature's in the layer.
    public let layer: Int?
    public let feature: Int?

    init(_ part: Part, layer: Int? = nil, feature: Int? = nil) {
        self.part = part
        self.layer = layer
        self.feature = feature
    }
}

extension ReadingDifference: CustomStringConvertible {
    public var description: String {
        var words = part.rawValue
        if let layer { words += ", layer \(layer)" }
        if let feature { words += ", feature \(feature)" }
        return words
    }
}
