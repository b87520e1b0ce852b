/// How large a tile its reader accepts. A tile comes from anywhere, so everything is bounded.
public struct TileLimits: Sendable {
    public enum Kind: String, Sendable {
        case bytes, layers, features, keys, values
        case geometryIntegers = "integers in one geometry"
        case memory = "bytes once it is unpacked"
    }

    public var bytes = 64 << 20
    public var layers = 10_000
    /// Features, keys and values are counted over all layers.
    public var features = 1_000_000
    public var keys = 1_000_000
    public var values = 1_000_000
    public var geometryIntegers = 16_000_000
    /// What protobuf-c may allocate for one tile.
    public var memory = 1 << 30

    public init() {}
}
