/// Writes vector tiles, one after another, into memory that it reuses.
///
///     var builder = TileBuilder()
///     let name = builder.key("name")
///     builder.beginLayer("places")
///     builder.beginPoint(id: 7, x: 25, y: 17)
///     builder.addTag(name, .string("Bern"))
///     builder.endFeature()
///     builder.endLayer()
///     use(builder.bytes)
///     builder.removeAll()
///
/// The same calls give the same bytes. Each key and value is written once a layer, in the order in which features
/// first use them; features keep their order. Nothing is allocated once the memory has grown to the size of the
/// largest tile.
public struct TileBuilder: ~Copyable, Sendable {
    var output = ByteBuffer()
    var keys = KeyTable()
    var values = ValueTable()
    /// The current layer's `features` fields.
    var features = ByteBuffer()
    /// The current layer's version and name.
    var head = ByteBuffer()
    var extent: UInt32 = 0
    var feature = OpenFeature()
    var scratch = ByteBuffer()
    var valueScratch = ByteBuffer()

    public init() {}

    /// A builder that knows `names`: the key number of a name is its index in the list.
    public init(keys names: [String]) {
        for (index, name) in names.enumerated() {
            let key = key(name)
            precondition(Int(key.number) == index, "two keys are called \(name)")
        }
    }

    /// The layers written so far, which are a tile.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { output.span }
    }

    /// The bytes as an array of their own.
    /// - Complexity: O(bytes).
    public func copyBytes() -> [UInt8] { output.copyBytes() }

    /// Removes the layers and begins a new tile; keys keep their numbers.
    public mutating func removeAll() {
        precondition(!feature.isOpen && head.count == 0, "the layer has not been ended")
        output.removeAll()
    }

    /// The key with a name, valid for all tiles of this builder.
    public mutating func key(_ name: String) -> TileKey {
        var name = name
        return name.withUTF8 { unsafe key(utf8: Span(_unsafeElements: $0)) }
    }

    /// The key with a name.
    public mutating func key(utf8 name: Span<UInt8>) -> TileKey {
        TileKey(number: keys.number(of: name))
    }
}

/// The number of a key in a builder.
public struct TileKey: Hashable, Sendable {
    public let number: UInt32

    @inlinable
    public init(number: UInt32) { self.number = number }
}
