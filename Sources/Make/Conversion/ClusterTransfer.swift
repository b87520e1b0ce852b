import ArchiveContract
import TileArchive

/// Brings what answers questions about clusters over as it is, payload by payload.
struct ClusterTransfer: Sendable {
    let archive: Archive
    let isCancelled: @Sendable () -> Bool

    /// Does it.
    /// - Parameters:
    ///   - sink: where all goes.
    ///   - report: what has been copied.
    ///   - progress: is told how many blocks have been copied.
    /// - Returns: what the archive is to say of its payloads.
    func run(
        to sink: any ArchiveSink, _ report: inout ConversionReport, progress: (Int) -> Void
    ) throws -> ClusterDescription.Blocks? {
        guard let description = try archive.description?.get(), let blocks = description.blocks,
            let source = try archive.contents.clusterPayloads()
        else { return nil }
        var hash = PayloadHash()
        for number in 0...blocks.overview {
            if isCancelled() { throw ConversionError.cancelled }
            guard let payload = try source.bytes(ofPayload: number) else {
                throw ArchiveError.damagedClusters(
                    path: archive.path, reason: "payload \(number) is missing")
            }
            hash.include(payload.span)
            try sink.write(payload: payload.span)
            guard number < blocks.count else { continue }
            report.leafBlocks += 1
            progress(report.leafBlocks)
        }
        // What an archive lacks is not left out without a word.
        guard try hash.finish() == blocks.hash || source.match(blocks) else {
            throw ArchiveError.damagedClusters(
                path: archive.path, reason: "its blocks are not those that it was written with")
        }
        report.clusters = description.layers.reduce(0) { $0 + Int($1.clusterCount ?? 0) }
        return blocks
    }
}
