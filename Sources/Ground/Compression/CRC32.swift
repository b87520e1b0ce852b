import CDeflate

/// The checksum of gzip and zip (RFC 1952, 8).
public enum CRC32 {
    /// The checksum of these bytes appended to those that `sum` already covers.
    public static func of(_ bytes: Span<UInt8>, behind sum: UInt32 = 0) -> UInt32 {
        unsafe bytes.withUnsafeBytes {
            unsafe libdeflate_crc32(sum, $0.baseAddress, $0.count)
        }
    }
}
