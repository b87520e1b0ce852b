import CDeflate

/// Makes gzip members (RFC 1952), one after another, with one set of buffers.
///
/// The output depends on the input and the level alone: no time, no name, no system.
@safe
public struct GzipCompressor: ~Copyable {
    private let handle: OpaquePointer
    private let storing: OpaquePointer
    private let quick: OpaquePointer
    /// Whether tiles up to the two sizes below take a cheaper way than the level says.
    private let sparesSmall: Bool
    private var buffer: UnsafeMutableBufferPointer<UInt8>

    /// What libdeflate knows: 0 stores, 1 is fast, 12 is small.
    public static let levels = 0...12

    /// What pays for tiles: larger ones take half of zlib's usual time at its usual size.
    public static let usualLevel = 6

    /// Up to this size levels to 6 store what they are given. Tiles of points gain little from being
    /// compressed (6 % to 256 bytes, 19 % to 320), which would take longer than all else that is
    /// done for them.
    static let sizeNotWorthCompressing = 320

    /// Up to this size levels 1 to 6 compress by level 1. Of the time for a tile so small, most goes
    /// into its Huffman codes at any level; the longer search for repeats gains 3 %.
    static let sizeNotWorthSearching = 4_096

    /// - Precondition: `level` is one of `levels`.
    public init(level: Int = usualLevel) {
        precondition(Self.levels.contains(level), "no such compression level")
        guard let compressor = unsafe libdeflate_alloc_compressor(Int32(level)),
            let storing = unsafe libdeflate_alloc_compressor(0),
            let quick = unsafe libdeflate_alloc_compressor(Int32(min(level, 1)))
        else { fatalError("out of memory: no room for a compressor") }
        unsafe handle = compressor
        unsafe self.storing = storing
        unsafe self.quick = quick
        sparesSmall = level <= Self.usualLevel
        unsafe buffer = .allocate(capacity: 0)
    }

    deinit {
        unsafe libdeflate_free_compressor(handle)
        unsafe libdeflate_free_compressor(storing)
        unsafe libdeflate_free_compressor(quick)
        unsafe buffer.deallocate()
    }

    /// Appends the gzip form of `bytes` to `output`.
    public mutating func compress(_ bytes: Span<UInt8>, appendingTo output: inout [UInt8]) {
        let handle = unsafe handle(forSize: bytes.count)
        let bound = unsafe libdeflate_gzip_compress_bound(handle, bytes.count)
        if unsafe buffer.count < bound {
            unsafe buffer.deallocate()
            unsafe buffer = .allocate(capacity: bound)
        }
        let count = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe libdeflate_gzip_compress(
                handle, input.baseAddress, input.count, buffer.baseAddress, buffer.count)
        }
        precondition(count > 0, "libdeflate's bound was too small")
        unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<count]))
    }

    @unsafe
    private func handle(forSize size: Int) -> OpaquePointer {
        guard sparesSmall, size <= Self.sizeNotWorthSearching else { return unsafe handle }
        return unsafe size <= Self.sizeNotWorthCompressing ? storing : quick
    }

    /// The gzip form of `bytes`.
    public mutating func compress(_ bytes: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        compress(bytes, appendingTo: &output)
        return output
    }
}
