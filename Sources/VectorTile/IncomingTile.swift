import CProtobufC
import CVectorTile

/// A tile that protobuf-c has unpacked.
@safe
struct IncomingTile: ~Copyable {
    private let arena: MessageArena
    private let message: UnsafeMutablePointer<VectorTile__Tile>

    /// - Returns: nil if the bytes are no tile, or need more memory.
    init?(_ bytes: Span<UInt8>, memory: Int) {
        self.init(bytes, in: MessageArena(ceiling: memory))
    }

    /// - Parameter arena: must not be reset before the tile has gone.
    init?(_ bytes: Span<UInt8>, in arena: MessageArena) {
        self.arena = arena
        var allocator = unsafe arena.makeAllocator()
        let message = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe vector_tile__tile__unpack(&allocator, bytes.count, bytes.baseAddress)
        }
        guard let message = unsafe message else { return nil }
        unsafe self.message = message
    }

    var layerCount: Int { unsafe Int(message.pointee.n_layers) }

    /// The layers' messages; they live as long as the tile.
    var layers: UnsafeBufferPointer<UnsafeMutablePointer<VectorTile__Tile__Layer>?> {
        unsafe UnsafeBufferPointer(
            start: message.pointee.layers, count: Int(message.pointee.n_layers))
    }

    /// The tile's content.
    /// - Parameter indices: for each layer the features to keep.
    func tile(keeping indices: [[Int]]) -> Tile {
        let layers = unsafe layers
        var tile = Tile()
        for (index, kept) in indices.enumerated() {
            guard let layer = unsafe layers[index] else { continue }
            unsafe tile.layers.append(Self.layer(layer.pointee, keeping: kept))
        }
        return tile
    }

    private static func layer(
        _ message: VectorTile__Tile__Layer, keeping kept: [Int]
    ) -> Tile.Layer {
        let keys = unsafe UnsafeBufferPointer(start: message.keys, count: message.n_keys).map {
            unsafe text($0)
        }
        let values = unsafe UnsafeBufferPointer(start: message.values, count: message.n_values)
            .map { unsafe value($0!.pointee) }
        let extent = unsafe message.has_extent != 0 ? message.extent : 4096
        var layer = unsafe Tile.Layer(
            name: text(message.name), version: message.version, extent: extent)
        for index in kept {
            let feature = unsafe message.features[index]!.pointee
            let tags = unsafe UnsafeBufferPointer(start: feature.tags, count: feature.n_tags)
            let pairs = stride(from: 0, to: tags.count, by: 2).map { first in
                unsafe Tile.Tag(keys[Int(tags[first])], values[Int(tags[first + 1])])
            }
            unsafe layer.features.append(self.feature(feature, tags: pairs))
        }
        return layer
    }

    private static func feature(
        _ message: VectorTile__Tile__Feature, tags: [Tile.Tag]
    ) -> Tile.Feature {
        let type = unsafe message.has_type != 0 ? message.type.rawValue : 0
        return unsafe Tile.Feature(
            id: message.has_id != 0 ? message.id : nil,
            type: GeometryType(rawValue: UInt8(type)) ?? .unknown,
            geometry: [UInt32](
                UnsafeBufferPointer(start: message.geometry, count: message.n_geometry)),
            tags: tags)
    }

    private static func text(_ data: ProtobufCBinaryData) -> String {
        unsafe String(
            decoding: UnsafeBufferPointer(start: data.data, count: data.len), as: UTF8.self)
    }

    /// Exactly one field is set: the reader in front has made sure.
    static func value(_ message: VectorTile__Tile__Value) -> TileValue {
        if unsafe message.has_string_value != 0 {
            return unsafe .string(text(message.string_value))
        }
        if unsafe message.has_float_value != 0 { return unsafe .float(message.float_value) }
        if unsafe message.has_double_value != 0 { return unsafe .double(message.double_value) }
        if unsafe message.has_int_value != 0 { return unsafe .int(message.int_value) }
        if unsafe message.has_uint_value != 0 { return unsafe .uint(message.uint_value) }
        if unsafe message.has_sint_value != 0 { return unsafe .sint(message.sint_value) }
        return unsafe .bool(message.bool_value != 0)
    }
}

/// What protobuf-c alone takes to unpack a tile, for benchmarks.
package enum UnpackedTile {
    /// How many layers protobuf-c finds; 0 where it finds no tile.
    package static func layerCount(of bytes: Span<UInt8>) -> Int {
        guard let tile = IncomingTile(bytes, memory: TileLimits().memory) else { return 0 }
        return tile.layerCount
    }
}
