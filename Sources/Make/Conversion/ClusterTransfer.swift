import ArchiveContract
import TileArchive

/// Copies the payloads about clusters, one by one.
struct ClusterTransfer: Sendable {
    let archive: Archive
    let isCancelled: @Sendable () -> Bool

    /// Runs the copy.
    /// - Parameters:
    ///   - sink: the archive that is written.
    ///   - report: counts what has been copied.
    ///   - progress: is called with the number of blocks that have been copied.
    /// - Returns: the new archive's description of its payloads.
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
            let sum = PayloadHash.sum(of: payload.span)
            hash.include(sum: sum)
            try sink.write(payload: payload.span, sum: sum)
            guard number < blocks.count else { continue }
            report.leafBlocks += 1
            progress(report.leafBlocks)
        }
        // Missing payloads are an error; they are not left out silently.
        guard try hash.finish() == blocks.hash || source.match(blocks) else {
            throw ArchiveError.damagedClusters(
                path: archive.path, reason: "its blocks are not those that it was written with")
        }
        report.clusters = description.layers.reduce(0) { $0 + Int($1.clusterCount ?? 0) }
        return blocks
    }
}
