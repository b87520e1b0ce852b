/// A walk over a feature's tags (MVT 4.4).
public struct TagCursor: ~Escapable {
    /// The indices of a key and a value in their layer's lists.
    public struct Tag: Equatable, Sendable {
        public var key: Int
        public var value: Int
    }

    private var reader: WireReader
    private let keyCount: Int
    private let valueCount: Int

    @_lifetime(copy feature)
    init(_ feature: borrowing FeatureView) {
        reader = WireReader(
            feature.bytes, in: feature.tagsRange, layer: feature.layer, feature: feature.number)
        keyCount = feature.keyCount
        valueCount = feature.valueCount
    }

    /// The next tag, or nil after the last; its indices are within the layer's lists.
    public mutating func next() throws(TileError) -> Tag? {
        guard !reader.isAtEnd else { return nil }
        let start = reader.offset
        let key = try reader.varint()
        let value = try reader.varint()
        guard key < UInt64(keyCount), value < UInt64(valueCount) else {
            throw reader.error(.tagOutOfRange, at: start)
        }
        return Tag(key: Int(key), value: Int(value))
    }
}
