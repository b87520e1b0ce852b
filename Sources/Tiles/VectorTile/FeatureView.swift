/// A feature of a layer, read in place (MVT 4.2).
public struct FeatureView: ~Escapable {
    let bytes: Span<UInt8>
    let layer: Int
    /// Where the feature's message begins in the tile.
    let offset: Int
    /// The feature's index in its layer, from 0.
    public let number: Int
    let keyCount: Int
    let valueCount: Int
    let geometryIntegers: Int

    /// The id, if the feature has one.
    public private(set) var id: UInt64?
    /// The type of the geometry; `unknown` if the feature does not state it.
    public private(set) var type = GeometryType.unknown
    /// Whether the feature states its type, as it must.
    public private(set) var statesType = false
    var hasRepeatedField = false
    // 0..<0 means absent: only a tag of the tile itself begins at its first byte.
    private(set) var tagsRange = 0..<0
    private(set) var geometryRange = 0..<0
    private var tagCount = 0
    private var integerCount = 0

    @_lifetime(copy layer)
    init(of layer: borrowing LayerView, at index: Int) throws(TileError) {
        bytes = layer.bytes
        self.layer = layer.number
        offset = layer.index.fields.features[index].range.lowerBound
        number = index
        keyCount = layer.keyCount
        valueCount = layer.valueCount
        geometryIntegers = layer.geometryIntegers
        let range = layer.index.fields.features[index].range
        var reader = WireReader(bytes, in: range, layer: layer.number, feature: index)
        try read(from: &reader)
        try check(at: range.lowerBound, reader)
    }

    /// Reads all fields before it throws a recoverable fault: leaving the rest of the message unread could hide a
    /// fatal one.
    private mutating func read(from reader: inout WireReader) throws(TileError) {
        var recoverable: TileError?
        while !reader.isAtEnd {
            let tag = try reader.tag()
            switch tag.integer {
            case Wire.featureID:
                hasRepeatedField = hasRepeatedField || id != nil
                id = try reader.varint()
            case Wire.featureTags:
                if tagsRange.lowerBound > 0 {
                    recoverable = reader.error(.repeatedTags, at: tag.offset)
                }
                tagsRange = try reader.payload()
                tagCount = try WireReader.countVarints(in: tagsRange, of: reader)
            case Wire.featureType:
                hasRepeatedField = hasRepeatedField || statesType
                statesType = true
                let raw = try reader.varint()
                if let type = GeometryType(rawValue: UInt8(clamping: raw)) {
                    self.type = type
                } else {
                    recoverable = reader.error(.unknownType, at: tag.offset)
                }
            case Wire.featureGeometry:
                if geometryRange.lowerBound > 0 {
                    recoverable = reader.error(.repeatedGeometry, at: tag.offset)
                }
                geometryRange = try reader.payload()
                integerCount = try WireReader.countVarints(in: geometryRange, of: reader)
            default:
                guard tag.field > 4 else { throw reader.error(.wrongWireType, at: tag.offset) }
                try reader.skip(tag.kind)
            }
        }
        if let recoverable { throw recoverable }
    }

    private func check(at start: Int, _ reader: borrowing WireReader) throws(TileError) {
        guard integerCount <= geometryIntegers else {
            throw .tooLarge(
                .geometryIntegers, limit: geometryIntegers,
                reader.location(at: geometryRange.lowerBound))
        }
        guard integerCount > 0 else { throw reader.error(.missingGeometry, at: start) }
        guard tagCount & 1 == 0 else { throw reader.error(.oddTagCount, at: tagsRange.lowerBound) }
    }

    /// The geometry's integers as they are in the tile, each a varint.
    public var packedGeometry: Span<UInt8> {
        @_lifetime(copy self)
        get { bytes.extracting(geometryRange) }
    }

    /// How many bytes the tags take.
    public var tagByteCount: Int { tagsRange.count }

    /// A cursor before the first tag.
    @_lifetime(copy self)
    public func tags() -> TagCursor { TagCursor(self) }
}
