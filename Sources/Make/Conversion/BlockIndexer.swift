import ArchiveContract
import ClusterQueries
import Compression
import TileArchive
import VectorTile

/// Gives leaf blocks the index that containers without a database want (docs/pmtiles.md): what
/// reaches over a block is asked of the archive that it comes from. One a worker.
struct BlockIndexer: ~Copyable {
    private let archive: Archive
    private var query: ClusterQuery?
    private var finder: (any ClusterFinder)?
    private var compressor: GzipCompressor
    private var builder = TileBuilder()

    init(_ archive: Archive, compression: Int) {
        self.archive = archive
        compressor = GzipCompressor(level: compression)
    }

    mutating func indexed(_ block: EncodedBlock) throws -> EncodedBlock {
        EncodedBlock(try index(of: block), leaves: block.leaves, with: &compressor)
    }

    /// The index that a block should have.
    mutating func index(of block: EncodedBlock) throws -> ClusterBlock {
        if query == nil {
            query = try ClusterQuery(archive)
            finder = try archive.contents.clusterFinder()
        }
        let described = try archive.description?.get()
        let leaves = (described?.blockLayout ?? .usual).leaves(ofBlock: block.number)
            .clamped(to: 0..<(described?.leafCount ?? 0))
        var index = ClusterBlock(
            number: block.number, leaves: leaves, hull: block.hull, rows: block.clusters)
        let reaching = block.clusters.filter(index.reachesOver)
        for record in reaching {
            if let shape = try query?.outlineShape(of: record) { index.shapes.append(shape) }
        }
        let behind = try children(of: reaching, behind: leaves.upperBound)
        index.rows = try rows(around: leaves.lowerBound) + block.clusters + behind.clusters
        try copyLeaves(behind.leaves, into: &index)
        return index
    }

    /// The clusters that begin before a leaf and hold it, the outermost first.
    private func rows(around leaf: Int64) throws -> [ClusterRecord] {
        guard leaf > 0 else { return [] }
        // The last row before the leaf lies inside all that hold it.
        var next = try record(.upTo(ClusterKey(firstLeaf: leaf - 1, zoom: 31)))
        var rows: [ClusterRecord] = []
        while let row = next {
            if row.leaves.contains(leaf) { rows.append(row) }
            guard let parent = row.parent else { break }
            next = try record(.exactly(parent))
        }
        return rows.reversed()
    }

    /// Children that begin behind a block, of clusters that end behind it. Of single leaves
    /// only so many as are copied.
    /// - Parameter reaching: each within the one before.
    private func children(
        of reaching: [ClusterRecord], behind end: Int64
    ) throws -> (clusters: [ClusterRecord], leaves: [Int64]) {
        var clusters: [ClusterRecord] = []
        var leaves: [Int64] = []
        for (index, parent) in reaching.enumerated() {
            // The child that holds the block's last leaf has its row already.
            let within = index + 1 < reaching.count ? reaching[index + 1].leaves.upperBound : end
            var leaf = within
            var copies = 0
            while leaf < parent.leaves.upperBound {
                let bound = ClusterKey.bound(leaf: leaf, zoom: parent.expansionZoom)
                let next = try record(.from(bound))
                if let next, next.key.firstLeaf == leaf {
                    guard next.leaves.upperBound <= parent.leaves.upperBound else {
                        throw ArchiveError.damagedClusters(
                            path: archive.path, reason: "a cluster overlaps the one around it")
                    }
                    clusters.append(next)
                    leaf = next.leaves.upperBound
                } else {
                    let singles = leaf..<min(parent.leaves.upperBound, next?.key.firstLeaf ?? .max)
                    let copied = singles.prefix(ClusterBlock.mostCopies - copies)
                    copies += copied.count
                    leaves += copied
                    leaf = singles.upperBound
                }
            }
        }
        return (clusters.sorted { $0.key < $1.key }, leaves.sorted())
    }

    private func record(_ search: ClusterSearch) throws -> ClusterRecord? {
        switch try finder?.row(search) {
        case nil: return nil
        case .cluster(let record)?: return record
        case .damaged(let number)?:
            throw ArchiveError.damagedClusters(
                path: archive.path, reason: "row \(number) makes no sense")
        }
    }

    private mutating func copyLeaves(_ children: [Int64], into index: inout ClusterBlock) throws {
        let leaves = try query?.leaves(each: index.leavesToCopy(children: children)) ?? []
        let copied = leaves.prefix(ClusterBlock.copies(ofLeavesWeighing: leaves.lazy.map(\.weight)))
        index.copied = copied.map(\.number)
        index.copies = copies(of: copied)
    }

    /// A vector tile with some leaves, as a block has them.
    private mutating func copies(of leaves: ArraySlice<Leaf>) -> [UInt8] {
        guard !leaves.isEmpty else { return [] }
        var open: String?
        for leaf in leaves {
            if open != leaf.layer {
                if open != nil { builder.endLayer() }
                builder.beginLayer(leaf.layer, extent: LeafBlockLayout.extent)
                open = leaf.layer
            }
            let place = GridPoint(leaf.position)
            builder.beginPoint(id: leaf.id, x: place.x, y: place.y)
            for tag in leaf.tags { builder.addTag(builder.key(tag.key), tag.value) }
            builder.endFeature()
        }
        if open != nil { builder.endLayer() }
        defer { builder.removeAll() }
        return builder.copyBytes()
    }
}
