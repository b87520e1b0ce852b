/// Reads a tile in place, layer by layer, and trusts none of its bytes.
///
///     var tile = try TileReader(bytes)
///     while let layer = try tile.nextLayer() {
///         var features = layer.features()
///         while let feature = try features.next() {
///             var tags = feature.tags()
///             while let tag = try tags.next() { use(layer.key(at: tag.key), layer.value(at: tag.value)) }
///         }
///     }
///
/// A thrown error ends the tile. Features that break a recoverable rule are left out and listed.
public struct TileReader: ~Escapable {
    var reader: WireReader
    /// How much may still be read.
    var rest: TileLimits
    let limits: TileLimits
    private var layerCount = 0
    private let index: TileIndex?

    /// Reads a tile with an index of its layers.
    @_lifetime(copy bytes)
    package init(
        _ bytes: Span<UInt8>, _ index: TileIndex?, limits: TileLimits = TileLimits()
    ) throws(TileError) {
        let most = min(limits.bytes, Int(UInt32.max))
        guard bytes.count <= most else {
            throw .tooLarge(.bytes, limit: most, TileLocation(offset: most))
        }
        reader = WireReader(bytes)
        var limits = limits
        limits.features = min(limits.features, Self.mostFeatures(in: bytes.count))
        self.limits = limits
        rest = limits
        self.index = index
    }

    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>, limits: TileLimits = TileLimits()) throws(TileError) {
        try self.init(bytes, nil, limits: limits)
    }

    /// The most features that a tile of that length may have. A feature with a point takes at least seven bytes.
    /// A million of two bytes are made to do harm, not to be drawn; a few may be mistakes, and are reported one
    /// by one.
    private static func mostFeatures(in byteCount: Int) -> Int { 10_000 + byteCount / 7 }

    /// The next layer, or nil after the last.
    /// - Complexity: O(fields of the layer); features are not read.
    @_lifetime(copy self)
    public mutating func nextLayer() throws(TileError) -> LayerView? {
        if let index { return try nextLayer(of: index) }
        while !reader.isAtEnd {
            let tag = try reader.tag()
            guard tag.field == Wire.tileLayer >> 3 else {
                try reader.skip(tag.kind)
                continue
            }
            reader.layer = layerCount
            guard tag.kind == .bytes else { throw reader.error(.wrongWireType, at: tag.offset) }
            guard rest.layers > 0 else {
                throw .tooLarge(
                    .layers, limit: limits.layers, reader.location(at: tag.offset))
            }
            rest.layers -= 1
            let range = try reader.payload()
            var found = LayerFields()
            var fields = WireReader(reader.bytes, in: range, layer: layerCount)
            try found.fill(from: &fields, rest: &rest, limits: limits)
            defer { layerCount += 1 }
            reader.layer = -1
            return LayerView(
                reader.bytes, in: range, number: layerCount, LayerIndex(found), limits: limits)
        }
        return nil
    }

    @_lifetime(copy self)
    private mutating func nextLayer(of index: TileIndex) throws(TileError) -> LayerView? {
        guard layerCount < index.layers.count else {
            if let fault = index.fault { throw fault }
            return nil
        }
        let layer = index.layers[layerCount]
        defer { layerCount += 1 }
        return LayerView(
            reader.bytes, in: layer.range, number: layerCount, layer.index, limits: limits)
    }
}
