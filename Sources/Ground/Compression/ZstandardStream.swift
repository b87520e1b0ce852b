import CZstd

/// Decompresses Zstandard frames (RFC 8878) of any length piece by piece.
@safe
public struct ZstandardStream: ~Copyable {
    private let context: OpaquePointer
    private var isInside = false
    private var offset = 0

    /// Whether bytes start with a frame, or with one to skip (RFC 8878, 3.1.2), as parallel packers write.
    /// - Parameter start: the first bytes of a stream.
    public static func recognises(_ start: Span<UInt8>) -> Bool {
        guard start.count >= 4 else { return false }
        let magic = (0..<4).reduce(UInt32(0)) { $0 | UInt32(start[$1]) << (8 * UInt32($1)) }
        return magic == 0xFD2F_B528 || magic & ~0xF == 0x184D_2A50
    }

    public init() {
        guard let context = unsafe ZSTD_createDCtx() else {
            fatalError("out of memory: no room for a decompressor")
        }
        unsafe self.context = context
    }

    deinit { unsafe ZSTD_freeDCtx(context) }

    /// Decompresses until the input is used up or the output is full; returns the number of input bytes used.
    public mutating func unpack(
        _ input: Span<UInt8>, into output: inout OutputSpan<UInt8>
    ) throws(CompressionError) -> Int {
        var used = 0
        var left = 0
        unsafe input.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBufferPointer { target, filled in
                var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
                var sink = unsafe ZSTD_outBuffer(
                    dst: target.baseAddress, size: target.count, pos: filled)
                repeat {
                    left = unsafe ZSTD_decompressStream(context, &sink, &source)
                } while unsafe ZSTD_isError(left) == 0 && sink.pos < sink.size
                    && source.pos < source.size
                used = unsafe source.pos
                filled = unsafe sink.pos
            }
        }
        offset += used
        guard ZSTD_isError(left) == 0 else {
            let reason = unsafe String(cString: ZSTD_getErrorName(left))
            throw .corrupt(offset: offset, reason: reason)
        }
        // Without input after a frame, no new frame begins.
        if !input.isEmpty { isInside = left != 0 }
        return used
    }

    /// Checks that the stream is complete; call it after the last input.
    public func finish() throws(CompressionError) {
        if isInside { throw .truncated(offset: offset) }
    }
}
