import ArchiveContract
import Compression

/// A payload of an archive's clusters (docs/pmtiles.md): a gzip member that states its own length, followed in
/// the payload of a block by a second member with the points.
public struct ClusterPayload: Sendable {
    let bytes: [UInt8]
    private let indexEnd: Int

    /// Checks the head of a payload; nil if it is invalid.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headBytes, bytes.starts(with: [0x1F, 0x8B, 8, 4]),
            bytes[10..<16].elementsEqual(Self.field)
        else { return nil }
        let length = (0..<4).reduce(0) { $0 | Int(bytes[16 + $1]) << (8 * $1) }
        guard (Self.headBytes...bytes.count).contains(length) else { return nil }
        self.bytes = bytes
        indexEnd = length
    }

    /// The second member: the points of a block; empty in other payloads.
    public var points: ArraySlice<UInt8> { bytes[indexEnd...] }

    /// The message in the first member, packed.
    public func index(
        with inflater: inout GzipInflater, limit: Int = ClusterBlock.largestIndex
    ) throws(CompressionError) -> [UInt8] {
        try inflater.inflate(bytes.span.extracting(..<indexEnd), limit: limit)
    }

    static let headBytes = 20
    /// The length of the extra field, and the head of its only subfield (RFC 1952, 2.3.1.1).
    private static let field: [UInt8] = [8, 0, 0x43, 0x76, 4, 0]

    /// A gzip member that states its own length.
    public static func member(
        holding contents: [UInt8], with compressor: inout GzipCompressor
    ) -> [UInt8] {
        let plain = compressor.compress(contents.span)
        let length = UInt32(plain.count + 10)
        var member = Array(plain[..<10])
        member[3] = 4
        member += field
        member += (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
        member += plain[10...]
        return member
    }
}
