/// Where the fields of a layer are, found once and shared by all views of the layer.
final class LayerIndex: Sendable {
    let fields: LayerFields

    init(_ fields: LayerFields) { self.fields = fields }
}

/// The fields of a layer, collected while it is read.
struct LayerFields {
    var version: UInt32 = 0
    var extent: UInt32?
    var name = ByteRange(0..<0)
    var features: [ByteRange] = []
    var keys: [ByteRange] = []
    var values: [ByteRange] = []
    private var hasVersion = false
    private var hasName = false
    /// Whether version, name or extent is given more than once; the last one counts.
    var hasRepeatedField = false

    mutating func fill(
        from reader: inout WireReader, rest: inout TileLimits, limits: TileLimits
    ) throws(TileError) {
        let start = reader.offset
        while !reader.isAtEnd {
            let tag = try reader.tag()
            switch tag.integer {
            case Wire.layerFeature:
                let range = ByteRange(try reader.payload())
                try Self.take(.features, &rest.features, limits.features, reader)
                features.append(range)
            case Wire.layerKey:
                let range = ByteRange(try reader.payload())
                try Self.take(.keys, &rest.keys, limits.keys, reader)
                keys.append(range)
            case Wire.layerValue:
                let range = try reader.payload()
                try Self.take(.values, &rest.values, limits.values, reader)
                try ValueView.check(range, in: reader)
                values.append(ByteRange(range))
            default: try readHead(tag, from: &reader)
            }
        }
        guard hasVersion else { throw reader.error(.missingVersion, at: start) }
        guard hasName else { throw reader.error(.missingName, at: start) }
    }

    /// Reads a field that a layer has once.
    private mutating func readHead(
        _ tag: WireReader.Tag, from reader: inout WireReader
    ) throws(TileError) {
        switch tag.integer {
        case Wire.layerVersion:
            let version = try reader.varint()
            guard version == 1 || version == 2 else {
                throw reader.error(.unknownVersion, at: tag.offset)
            }
            hasRepeatedField = hasRepeatedField || hasVersion
            hasVersion = true
            self.version = UInt32(version)
        case Wire.layerName:
            hasRepeatedField = hasRepeatedField || hasName
            hasName = true
            name = ByteRange(try reader.payload())
        case Wire.layerExtent:
            hasRepeatedField = hasRepeatedField || extent != nil
            extent = UInt32(truncatingIfNeeded: try reader.varint())
        default:
            guard tag.field > 5 && tag.field != 15 else {
                throw reader.error(.wrongWireType, at: tag.offset)
            }
            try reader.skip(tag.kind)
        }
    }

    private static func take(
        _ kind: TileLimits.Kind, _ rest: inout Int, _ limit: Int, _ reader: borrowing WireReader
    ) throws(TileError) {
        guard rest > 0 else {
            throw .tooLarge(kind, limit: limit, reader.location(at: reader.offset))
        }
        rest -= 1
    }
}
