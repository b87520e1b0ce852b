import CDeflate

/// Inflates whole gzip blobs, one after another, up to a limit.
@safe
public struct GzipInflater: ~Copyable {
    private let handle: OpaquePointer

    public init() {
        guard let decompressor = unsafe libdeflate_alloc_decompressor() else {
            fatalError("out of memory: no room for a decompressor")
        }
        unsafe handle = decompressor
    }

    deinit { unsafe libdeflate_free_decompressor(handle) }

    /// Whether the bytes begin as gzip does (RFC 1952, 2.3.1).
    public static func isGzip(_ bytes: Span<UInt8>) -> Bool {
        bytes.count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
    }

    /// The contents of all members of a gzip blob.
    public mutating func inflate(
        _ bytes: Span<UInt8>, limit: Int
    ) throws(CompressionError) -> [UInt8] {
        if let claimed = Self.claimedSize(of: bytes), claimed <= limit,
            let output = unsafe inflateInOneGo(bytes, size: claimed)
        {
            return output
        }
        // It may have several members, a wrong trailer, too large a size, or damage, which zlib can locate.
        return try InflateStream.inflate(bytes, format: .gzip, limit: limit)
    }

    /// How many times its length a stream may hold: a match of 258 bytes takes two bits (RFC 1951, 3.2.5).
    public static let mostGrowth = 258 * 8 / 2

    /// The size in the trailer (RFC 1952, 2.3.1: ISIZE), unless no deflate stream of this length
    /// could hold that much.
    public static func claimedSize(of bytes: Span<UInt8>) -> Int? {
        guard bytes.count >= 18 else { return nil }
        let size = (1...4).reduce(0) { $0 << 8 | Int(bytes[bytes.count - $1]) }
        return size / mostGrowth <= bytes.count ? size : nil
    }

    /// The size of the bytes or, if it is greater, the inflated size in a gzip trailer.
    public static func plainSize(of bytes: Span<UInt8>) -> Int {
        max(bytes.count, isGzip(bytes) ? claimedSize(of: bytes) ?? 0 : 0)
    }

    /// The contents if the bytes are one whole member of this size.
    @unsafe
    private func inflateInOneGo(_ bytes: Span<UInt8>, size: Int) -> [UInt8]? {
        var consumed = 0
        var produced = 0
        var result = LIBDEFLATE_BAD_DATA
        let output = unsafe [UInt8](unsafeUninitializedCapacity: size) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe result = libdeflate_gzip_decompress_ex(
                    handle, input.baseAddress, input.count, output.baseAddress, size,
                    &consumed, &produced)
            }
            count = result == LIBDEFLATE_SUCCESS ? produced : 0
        }
        return result == LIBDEFLATE_SUCCESS && consumed == bytes.count ? output : nil
    }
}
