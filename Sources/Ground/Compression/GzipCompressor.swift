import CDeflate

/// Makes gzip members (RFC 1952), one after another, with the same buffers.
///
/// The output depends on the input and the level alone: no time, no name, no system.
public struct GzipCompressor: ~Copyable {
    private let full: Deflater
    /// The faster compressors for tiles up to the sizes below, whatever the level.
    private let storing: Deflater
    private let quick: Deflater
    private let sparesSmall: Bool
    private var small = FixedDeflate()
    private var buffer: [UInt8] = []

    /// The levels of libdeflate: 0 stores, 1 is the fastest, 12 gives the smallest output.
    public static let levels = 0...12

    /// A good level for tiles: larger ones take half of zlib's usual time at its usual size.
    public static let usualLevel = 6

    /// Inputs up to this size are stored at levels up to 6: compression would gain 2 %.
    static let sizeNotWorthCompressing = 128

    /// Inputs up to this size are written in deflate's fixed codes at levels 1 to 6. Tiles of
    /// points are no longer than at level 1, which spends most of its time on its own codes; level
    /// 1 is used if those codes would save much.
    static let sizeNotWorthCodes = FixedDeflate.largest

    /// Inputs up to this size are compressed at level 1 at levels 1 to 6: a longer search for repeats gains 3 %.
    static let sizeNotWorthSearching = 4_096

    /// - Precondition: `level` is one of `levels`.
    public init(level: Int = usualLevel) {
        precondition(Self.levels.contains(level), "no such compression level")
        full = Deflater(level: level)
        sparesSmall = (1...Self.usualLevel).contains(level)
        storing = sparesSmall ? Deflater(level: 0) : full
        quick = sparesSmall ? Deflater(level: 1) : full
    }

    /// Appends the gzip form of `bytes` to `output`.
    public mutating func compress(_ bytes: Span<UInt8>, appendingTo output: inout [UInt8]) {
        guard sparesSmall, bytes.count <= Self.sizeNotWorthSearching else {
            return compress(bytes, by: full, appendingTo: &output)
        }
        guard bytes.count > Self.sizeNotWorthCompressing else {
            return compress(bytes, by: storing, appendingTo: &output)
        }
        guard bytes.count <= Self.sizeNotWorthCodes else {
            return compress(bytes, by: quick, appendingTo: &output)
        }
        makeRoom(FixedDeflate.bound(forSize: bytes.count) + Self.frame)
        switch small.gzip(bytes, into: &buffer) {
        case nil: compress(bytes, by: quick, appendingTo: &output)
        case let size? where size < bytes.count + Self.stored: output += buffer[..<size]
        case _?: compress(bytes, by: storing, appendingTo: &output)
        }
    }

    /// The bytes of a member's header and trailer, and the overhead of a stored block.
    private static let frame = 18
    private static let stored = frame + 5

    private mutating func compress(
        _ bytes: Span<UInt8>, by deflater: Deflater, appendingTo output: inout [UInt8]
    ) {
        let bound = deflater.gzipBound(bytes.count)
        guard bound <= Self.mostKept else {
            // A large tile is written directly to the output, and no buffer is kept for it.
            return output.append(addingCapacity: bound) { deflater.gzip(bytes, into: &$0) }
        }
        makeRoom(bound)
        let count = deflater.gzip(bytes, into: &buffer)
        precondition(count > 0, "libdeflate's bound was too small")
        output += buffer[..<count]
    }

    private static let mostKept = 1 << 20

    private mutating func makeRoom(_ size: Int) {
        if buffer.count < size { buffer = [UInt8](repeating: 0, count: size) }
    }

    /// The gzip form of `bytes`.
    public mutating func compress(_ bytes: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        compress(bytes, appendingTo: &output)
        return output
    }
}

/// A libdeflate compressor with its tables.
@safe
private final class Deflater: Sendable {
    private nonisolated(unsafe) let handle: OpaquePointer

    init(level: Int) {
        guard let handle = unsafe libdeflate_alloc_compressor(Int32(level)) else {
            fatalError("out of memory: no room for a compressor")
        }
        unsafe self.handle = handle
    }

    deinit { unsafe libdeflate_free_compressor(handle) }

    /// The maximum size of the gzip form of `count` bytes.
    func gzipBound(_ count: Int) -> Int { unsafe libdeflate_gzip_compress_bound(handle, count) }

    /// Fills `room` with the gzip form of `bytes`; 0 if it is too small.
    func gzip(_ bytes: Span<UInt8>, into room: inout [UInt8]) -> Int {
        unsafe bytes.withUnsafeBufferPointer { input in
            unsafe room.withUnsafeMutableBufferPointer { output in
                unsafe libdeflate_gzip_compress(
                    handle, input.baseAddress, input.count, output.baseAddress, output.count)
            }
        }
    }

    /// Appends the gzip form of `bytes`, for which there must be room.
    func gzip(_ bytes: Span<UInt8>, into output: inout OutputSpan<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { room, filled in
                let free = unsafe UnsafeMutableBufferPointer(rebasing: room[filled...])
                let count = unsafe libdeflate_gzip_compress(
                    handle, input.baseAddress, input.count, free.baseAddress, free.count)
                precondition(count > 0, "libdeflate's bound was too small")
                filled += count
            }
        }
    }
}
