import CZstd

/// Decompresses Zstandard frames (RFC 8878), one after another, with one set of tables.
@safe
struct ZstandardDecompressor: ~Copyable {
    private let context: OpaquePointer

    init() {
        guard let context = unsafe ZSTD_createDCtx() else {
            fatalError("out of memory: no room for a decompressor")
        }
        unsafe self.context = context
    }

    deinit { unsafe ZSTD_freeDCtx(context) }

    /// The contents of all frames, `size` bytes at most.
    func decompress(_ block: Span<UInt8>, size: Int) throws(CompressionError) -> [UInt8] {
        try unsafe BlockDecompressor.filled(size, from: block, "Zstandard") { input, output in
            let count = unsafe ZSTD_decompressDCtx(
                context, output.baseAddress, output.count, input.baseAddress, input.count)
            return ZSTD_isError(count) == 0 ? count : nil
        }
    }
}
