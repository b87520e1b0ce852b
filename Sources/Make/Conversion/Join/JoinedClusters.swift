import ArchiveContract
import Compression
import TileArchive

/// Joins the payloads about clusters of several archives. Blocks are copied, as nothing in them
/// depends on the world as a whole; pages and overview are made anew.
struct JoinedClusters: Sendable {
    let archives: [Archive]
    let plan: JoinPlan
    let compression: Int
    let isCancelled: @Sendable () -> Bool

    /// Runs the join, like `ClusterTransfer`.
    func run(
        to sink: any ArchiveSink, _ report: inout ConversionReport, progress: (Int) -> Void
    ) throws -> ClusterDescription.Blocks? {
        for source in Set(plan.units.map(\.source)) { try refuseDamage(of: archives[source]) }
        var writer = ClusterWriter(sink)
        var large: [LargeCluster] = []
        /// The difference between the new block numbers of each layer and the old ones.
        var shifts: [Int64] = []
        for unit in plan.units {
            guard var payloads = try archives[unit.source].openPayloads() else { return nil }
            let own = payloads.blocks(of: unit.layer)
            shifts.append(Int64(writer.blockCount) - own.lowerBound)
            for number in own {
                if isCancelled() { throw ConversionError.cancelled }
                let block = try payloads.block(number)
                try writer.write(
                    block: block.bytes, leaves: Int64(block.index.leaves.count),
                    hull: block.index.hull)
                report.leafBlocks += 1
                progress(report.leafBlocks)
            }
            for cluster in payloads.overview.large where own.contains(cluster.blocks.lowerBound) {
                large.append(cluster.moved(by: shifts[shifts.count - 1]))
            }
            report.clusters += Int(unit.layer.clusterCount ?? 0)
        }
        var compressor = GzipCompressor(level: compression)
        for (unit, shift) in zip(plan.units, shifts) {
            try write(pagesOf: unit, shift, to: &writer, &compressor)
        }
        return try writer.finish(large) { plan.description?.id(of: $0) ?? 0 }
    }

    /// Missing payloads are an error; they are not left out silently.
    private func refuseDamage(of archive: Archive) throws {
        guard let blocks = try archive.description?.get().blocks,
            let source = try archive.contents.clusterPayloads()
        else { return }
        guard let damage = source.damage(of: blocks).first else { return }
        throw ArchiveError.damagedClusters(path: archive.path, reason: damage)
    }

    private func write(
        pagesOf unit: JoinUnit, _ shift: Int64, to writer: inout ClusterWriter,
        _ compressor: inout GzipCompressor
    ) throws {
        let pages = try archives[unit.source].scanIDs()
        while let ids = try pages.next() {
            // All ids of a page are of one layer.
            guard let first = ids.first, unit.holds(first.id) else { continue }
            let moved = ids.map { (id: $0.id + unit.idShift, target: $0.target + shift) }
            try writer.write(EncodedPage(moved, with: &compressor))
        }
    }
}
