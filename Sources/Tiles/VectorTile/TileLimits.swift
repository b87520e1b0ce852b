/// How large a tile a reader accepts. Tiles may come from anywhere, so everything is bounded.
public struct TileLimits: Sendable {
    public enum Kind: String, Sendable {
        case bytes, layers, features, keys, values
        case geometryIntegers = "integers in one geometry"
        case memory = "bytes once it is unpacked"
    }

    public var bytes = 64 << 20
    public var layers = 10_000
    /// Counts over all layers.
    public var features = 1_000_000
    public var keys = 1_000_000
    public var values = 1_000_000
    public var geometryIntegers = 16_000_000
    /// The bytes that protobuf-c may allocate for one tile.
    public var memory = 1 << 30

    public init() {}
}
