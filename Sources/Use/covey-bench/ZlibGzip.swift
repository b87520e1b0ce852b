import CZlib

/// Gzip by zlib, for comparison.
@safe
struct ZlibGzip: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>
    private var buffer: [UInt8] = []

    init(level: Int32) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe deflateInit2_(
            stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// The number of bytes in gzip form.
    mutating func compress(_ bytes: [UInt8]) -> Int {
        unsafe deflateReset(stream)
        let bound = Int(unsafe deflateBound(stream, UInt(bytes.count)))
        if buffer.count < bound { buffer = [UInt8](repeating: 0, count: bound) }
        unsafe bytes.withUnsafeBufferPointer { input in
            unsafe buffer.withUnsafeMutableBufferPointer { output in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(output.count)
                unsafe precondition(deflate(stream, Z_FINISH) == Z_STREAM_END)
            }
        }
        return Int(unsafe stream.pointee.total_out)
    }
}
