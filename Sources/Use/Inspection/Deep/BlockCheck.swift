import ArchiveContract
import Compression
import Geometry
import Points
import TileArchive

/// Cuts the archive's leaves into blocks and its ids into pages again, and compares the result with
/// those of the archive (docs/archive.md, docs/pmtiles.md).
struct BlockCheck {
    let description: ClusterDescription
    /// The clusters of each layer.
    let clusters: [[ClusterRecord]]
    let points: [PointTable]

    func run(_ archive: Archive, _ findings: inout FindingList) throws(ArchiveError) {
        guard var payloads = try archive.openPayloads() else { return }
        let kept = payloads.overview
        var made = BlockOverview()
        for layer in description.layers.indices {
            let cutter = cut(layer)
            let shift = Int64(made.counts.count)
            made.large += cutter.large.map { $0.moved(by: shift) }
            made.counts += zip(cutter.ends, [0] + cutter.ends).map { $0 - $1 }
        }
        func compare(_ what: String, _ isSame: Bool) {
            guard !isSame else { return }
            findings.add(
                .error, "block-index",
                "the overview of blocks says what their points and clusters do not come to",
                at: what)
        }
        compare("counts", kept.counts == made.counts)
        compare("large clusters", kept.large == made.large)
        guard kept.counts == made.counts, kept.large == made.large else { return }
        compare("pages", kept.pages == pages(in: payloads.table))
        if let size = description.blocks?.chapterSize {
            let divided = DividedOverview(
                kept, in: payloads.table, chapterSize: Int(size), id: description.id)
            compare("chapters", try payloads.dividedOverview() == divided)
        }
        var hulls: [[GridPoint]] = []
        for number in 0..<payloads.table.count {
            hulls.append(try payloads.block(number).index.hull)
        }
        compare("boxes", kept.boxes == hulls.map { GridBox(around: $0) ?? .nowhere })
        for (cluster, record) in zip(kept.large, payloads.large) {
            let hull = GridHull(
                ofBlocks: cluster.blocks.lazy.map { [hulls] in hulls[Int($0)] },
                around: cluster.position)
            let isSame = try payloads.outline(of: record.key) == hull.corners
            compare("the outline of cluster \(description.id(of: record))", isSame)
        }
    }

    private func cut(_ layer: Int) -> BlockCutter {
        var cutter = BlockCutter(mostLeaves: description.layers[layer].leavesInBlock)
        var weights = LeafWeightSums()
        let attributes = points[layer].attributes
        weights.append(
            (0..<attributes.count).map { row in
                attributes.withRecord(of: row) { LeafWeight.weight($0.size) }
            })
        let first = description.layers[layer].leaves.lowerBound
        func addLeaves(upTo end: Int64) {
            while cutter.leaf < end {
                let row = Int(cutter.leaf)
                cutter.addLeaf(at: { GridPoint(points[layer].position(of: row)) }) {
                    weights(row..<row + 1)
                }
            }
        }
        for record in clusters[layer] where record.key.firstLeaf - first >= cutter.leaf {
            addLeaves(upTo: record.key.firstLeaf - first)
            let start = Int(record.key.firstLeaf - first)
            cutter.add(
                cluster: record.leafCount, at: { record.position },
                weighing: { weights(start..<start + Int(record.leafCount)) }, record: { record })
        }
        addLeaves(upTo: Int64(points[layer].count))
        cutter.finish()
        return cutter
    }

    private func pages(in table: LeafBlockTable) -> [BlockOverview.Page] {
        var ids: [(id: Int64, block: Int64)] = []
        for record in clusters.joined() where table.wholeBlocks(record.leaves) == nil {
            ids.append((description.id(of: record), table.block(ofLeaf: record.key.firstLeaf)))
        }
        ids.sort { $0.id < $1.id }
        var pager = IDPager()
        var compressor = GzipCompressor(level: 1)
        var pages: [BlockOverview.Page] = []
        func take(_ cut: [[(id: Int64, target: Int64)]]) {
            pages += cut.map { EncodedPage($0, with: &compressor).told }
        }
        for (id, block) in ids { take(pager.add(id, target: block)) }
        take(pager.finish())
        return pages
    }
}
