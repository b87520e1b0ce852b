import ArchiveContract
import Compression

/// A cluster block as hosts without a server keep it (docs/pmtiles.md): two members of gzip, the
/// index and the points, of which the first says how long it is.
public struct ClusterPayload: Sendable {
    private let bytes: [UInt8]
    private let indexEnd: Int

    /// Looks at a payload; nil if it does not begin as one.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headBytes, bytes.starts(with: [0x1F, 0x8B, 8, 4]),
            bytes[10..<16].elementsEqual(Self.field)
        else { return nil }
        let length = (0..<4).reduce(0) { $0 | Int(bytes[16 + $1]) << (8 * $1) }
        guard (Self.headBytes...bytes.count).contains(length) else { return nil }
        self.bytes = bytes
        indexEnd = length
    }

    /// The first member: the index, packed.
    public var head: ArraySlice<UInt8> { bytes[..<indexEnd] }

    /// The second member: the leaf block as other containers have it; empty in an overview.
    public var leaves: ArraySlice<UInt8> { bytes[indexEnd...] }

    /// The index, or the overview, as `ClusterBlock` and `ClusterBoxes` unpack it.
    public func index(
        with inflater: inout GzipInflater, limit: Int = ClusterBlock.largestIndex
    ) throws(CompressionError) -> [UInt8] {
        try inflater.inflate(bytes.span.extracting(..<indexEnd), limit: limit)
    }

    static let headBytes = 20
    /// The length of the extra field, and the head of its only subfield (RFC 1952, 2.3.1.1).
    private static let field: [UInt8] = [8, 0, 0x43, 0x76, 4, 0]

    /// A member of gzip that says how long it is.
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
