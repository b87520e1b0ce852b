/// An attribute of a feature, its key and value looked up (MVT 4.4).
public struct TileTag: Hashable, Sendable {
    public var key: String
    public var value: TileValue

    public init(_ key: String, _ value: TileValue) {
        self.key = key
        self.value = value
    }
}
