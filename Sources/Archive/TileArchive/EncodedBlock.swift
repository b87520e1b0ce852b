import ArchiveContract
import Compression

/// A leaf block with all that goes with it, as archives keep it.
public struct EncodedBlock: Sendable {
    public var number: Int64
    /// A gzip tile with the block's points.
    public var leaves: [UInt8]
    /// The corners of the hull of its points.
    public var hull: [GridPoint]
    /// The clusters that begin in it, by ascending key.
    public var clusters: [ClusterRecord]
    /// The first member of a payload, where the sink wants it; else empty.
    public var index: [UInt8] = []

    public init(
        number: Int64, leaves: [UInt8], hull: [GridPoint], clusters: [ClusterRecord]
    ) {
        self.number = number
        self.leaves = leaves
        self.hull = hull
        self.clusters = clusters
    }

    /// A block with its index.
    public init(
        _ block: ClusterBlock, leaves: [UInt8], with compressor: inout GzipCompressor
    ) {
        self.init(
            number: block.number, leaves: leaves, hull: block.hull,
            clusters: Array(block.beginning))
        index = ClusterPayload.member(holding: block.packed, with: &compressor)
    }
}
