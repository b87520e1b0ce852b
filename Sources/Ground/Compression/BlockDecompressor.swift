import CBrotli
import CLZ4
import CSnappy

/// The compression of a page or a buffer of a columnar file.
public enum BlockCodec: Sendable {
    case snappy, gzip, zstandard, brotli
    /// LZ4 blocks without a frame.
    case lz4
    case lz4Frame
}

/// Decompresses blocks of known decompressed size, one after another.
public struct BlockDecompressor: ~Copyable {
    private var gzip = GzipInflater()
    private let zstandard = ZstandardDecompressor()

    public init() {}

    /// The contents of a block, which must have exactly this size.
    ///
    /// Memory for `size` bytes is reserved at once but not touched before it is filled; the caller
    /// must bound it.
    public mutating func decompress(
        _ block: Span<UInt8>, _ codec: BlockCodec, size: Int
    ) throws(CompressionError) -> [UInt8] {
        // Libraries need an address, and an empty array has none.
        if block.isEmpty, size == 0 { return [] }
        let bytes: [UInt8]
        switch codec {
        case .gzip: bytes = try gzip.inflate(block, limit: size)
        case .zstandard: bytes = try zstandard.decompress(block, size: size)
        case .snappy: bytes = try Self.snappy(block, size: size)
        case .lz4: bytes = try Self.lz4(block, size: size)
        case .lz4Frame: bytes = try LZ4Frame.decompress(block, size: size)
        case .brotli: bytes = try Self.brotli(block, size: size)
        }
        guard bytes.count == size else { throw .truncated(offset: block.count) }
        return bytes
    }

    private static func snappy(
        _ block: Span<UInt8>, size: Int
    ) throws(CompressionError) -> [UInt8] {
        try unsafe filled(size, from: block, "Snappy") { input, output in
            var length = 0
            guard
                unsafe snappy_uncompressed_length(input.baseAddress, input.count, &length)
                    == SNAPPY_OK, length <= output.count,
                unsafe snappy_uncompress(
                    input.baseAddress, input.count, output.baseAddress, &length) == SNAPPY_OK
            else { return nil }
            return length
        }
    }

    private static func lz4(_ block: Span<UInt8>, size: Int) throws(CompressionError) -> [UInt8] {
        guard block.count <= Int32.max, size <= Int32.max else { throw .tooLarge(limit: size) }
        return try unsafe filled(size, from: block, "LZ4") { input, output in
            let count = unsafe LZ4_decompress_safe(
                input.baseAddress, output.baseAddress, Int32(input.count), Int32(output.count))
            return count < 0 ? nil : Int(count)
        }
    }

    private static func brotli(
        _ block: Span<UInt8>, size: Int
    ) throws(CompressionError) -> [UInt8] {
        try unsafe filled(size, from: block, "Brotli") { input, output in
            var length = output.count
            let result = unsafe input.withMemoryRebound(to: UInt8.self) { input in
                unsafe output.withMemoryRebound(to: UInt8.self) { output in
                    unsafe BrotliDecoderDecompress(
                        input.count, input.baseAddress, &length, output.baseAddress)
                }
            }
            return result == BROTLI_DECODER_RESULT_SUCCESS ? length : nil
        }
    }

    /// An array that a library function fills; the function returns the count, or nil if the block is damaged.
    static func filled(
        _ size: Int, from block: Span<UInt8>, _ name: String,
        _ fill: (UnsafeBufferPointer<CChar>, UnsafeMutableBufferPointer<CChar>) -> Int?
    ) throws(CompressionError) -> [UInt8] {
        var isSound = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(size, 1)) { room, count in
            unsafe block.withUnsafeBufferPointer { input in
                unsafe input.withMemoryRebound(to: CChar.self) { input in
                    unsafe room.withMemoryRebound(to: CChar.self) { room in
                        let room = unsafe UnsafeMutableBufferPointer(rebasing: room[..<size])
                        guard let filled = unsafe fill(input, room) else { return }
                        isSound = true
                        count = filled
                    }
                }
            }
        }
        guard isSound else { throw .corrupt(offset: 0, reason: "no sound \(name) block") }
        return bytes
    }
}
