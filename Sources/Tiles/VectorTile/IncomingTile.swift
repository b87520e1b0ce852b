import CProtobufC
import CVectorTile

/// A tile that protobuf-c has unpacked.
@safe
package struct IncomingTile: ~Copyable {
    private let arena: MessageArena
    private let message: UnsafeMutablePointer<VectorTile__Tile>

    /// - Returns: nil if the bytes are not a tile, or need more memory.
    package init?(_ bytes: Span<UInt8>, memory: Int) {
        self.init(bytes, in: MessageArena(ceiling: memory))
    }

    /// - Parameter arena: must not be reset before the tile is gone.
    init?(_ bytes: Span<UInt8>, in arena: MessageArena) {
        self.arena = arena
        var allocator = unsafe arena.makeAllocator()
        let message = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe vector_tile__tile__unpack(&allocator, bytes.count, bytes.baseAddress)
        }
        guard let message = unsafe message else { return nil }
        unsafe self.message = message
    }

    package var layerCount: Int { unsafe Int(message.pointee.n_layers) }

    /// The layers' messages; they live as long as the tile.
    package var layers: UnsafeBufferPointer<UnsafeMutablePointer<VectorTile__Tile__Layer>?> {
        unsafe UnsafeBufferPointer(
            start: message.pointee.layers, count: Int(message.pointee.n_layers))
    }

    /// The value of a message. Exactly one field is set: the reader in place has checked that before.
    package static func value(_ message: VectorTile__Tile__Value) -> TileValue {
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

    package static func text(_ data: ProtobufCBinaryData) -> String {
        unsafe String(
            decoding: UnsafeBufferPointer(start: data.data, count: data.len), as: UTF8.self)
    }
}
