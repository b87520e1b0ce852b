import Basics

/// A layer of a tile, read in place.
///
/// Creating a view walks over the layer's fields once, notes where they are and checks those of which a wrong one
/// would spoil the whole tile: version, name, values (MVT 4.1).
public struct LayerView: ~Escapable {
    let bytes: Span<UInt8>
    let range: Range<Int>
    /// The layer's index in the tile, from 0.
    public let number: Int
    let index: LayerIndex
    let geometryIntegers: Int

    @_lifetime(copy bytes)
    init(
        _ bytes: Span<UInt8>, in range: Range<Int>, number: Int, _ index: LayerIndex,
        limits: TileLimits
    ) {
        self.bytes = bytes
        self.range = range
        self.number = number
        self.index = index
        geometryIntegers = limits.geometryIntegers
    }

    /// How many bytes the layer takes in the tile, without its own tag and length.
    public var byteCount: Int { range.count }

    /// 1 or 2.
    public var version: UInt32 { index.fields.version }

    /// The width and height of the tile's grid; 4096 if the layer does not state it (MVT 4.1).
    public var extent: UInt32 { index.fields.extent ?? 4096 }

    /// Whether the tile states the extent, as it must.
    public var statesExtent: Bool { index.fields.extent != nil }

    public var featureCount: Int { index.fields.features.count }
    public var keyCount: Int { index.fields.keys.count }
    public var valueCount: Int { index.fields.values.count }

    /// The name as it is in the tile; it should be UTF-8.
    public var nameBytes: Span<UInt8> {
        @_lifetime(copy self)
        get { bytes.extracting(index.fields.name.range) }
    }

    public var name: String { String(copying: nameBytes) }

    /// Whether the layer has this name. It compares bytes, as a name may have megabytes, too many to copy.
    public func isNamed(_ name: String) -> Bool { nameBytes.holdsSame(as: name.utf8.span) }

    /// A key as it is in the tile.
    @_lifetime(copy self)
    public func keyBytes(at index: Int) -> Span<UInt8> {
        bytes.extracting(self.index.fields.keys[index].range)
    }

    public func key(at index: Int) -> String { String(copying: keyBytes(at: index)) }

    @_lifetime(copy self)
    public func value(at index: Int) -> ValueView {
        ValueView(bytes.extracting(self.index.fields.values[index].range))
    }

    /// The feature at `index`.
    /// - Throws: what is wrong with this feature; see `TileError.isRecoverable`.
    @_lifetime(copy self)
    public func feature(at index: Int) throws(TileError) -> FeatureView {
        try FeatureView(of: self, at: index)
    }

    /// A cursor before the first feature.
    @_lifetime(copy self)
    public func features() -> FeatureCursor { FeatureCursor(self) }
}
