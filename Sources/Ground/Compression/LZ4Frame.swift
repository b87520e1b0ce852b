import CLZ4

/// LZ4's frame format, which adds a header and checksums to blocks.
enum LZ4Frame {
    static func decompress(_ block: Span<UInt8>, size: Int) throws(CompressionError) -> [UInt8] {
        try unsafe BlockDecompressor.filled(size, from: block, "LZ4 frame") { input, output in
            var context: OpaquePointer?
            guard
                unsafe LZ4F_isError(
                    LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0
            else { return nil }
            defer { unsafe LZ4F_freeDecompressionContext(context) }
            var (consumed, filled) = (0, 0)
            while consumed < input.count {
                var (more, room) = (input.count - consumed, output.count - filled)
                let wanted = unsafe LZ4F_decompress(
                    context, output.baseAddress.map { unsafe $0 + filled }, &room,
                    input.baseAddress.map { unsafe $0 + consumed }, &more, nil)
                guard LZ4F_isError(wanted) == 0 else { return nil }
                consumed += more
                filled += room
                // A frame must not continue past the input, and nothing moves when there is no more room.
                if wanted == 0 { return consumed == input.count ? filled : nil }
                if more == 0, room == 0 { return nil }
            }
            return nil
        }
    }
}
