/// Where in a tile something was found.
public struct TileLocation: Hashable, Sendable {
    /// The offset in the tile's bytes, after gunzip.
    public var offset: Int
    /// The layer's number in the tile, from 0.
    public var layer: Int?
    /// The feature's number in the layer, from 0.
    public var feature: Int?

    public init(offset: Int, layer: Int? = nil, feature: Int? = nil) {
        self.offset = offset
        self.layer = layer
        self.feature = feature
    }
}

extension TileLocation: CustomStringConvertible {
    public var description: String {
        var words = "byte \(offset)"
        if let layer { words += ", layer \(layer)" }
        if let feature { words += ", feature \(feature)" }
        return words
    }
}
