import ArchiveContract
import ClusterQueries
import Compression
import Pipelines
import TileArchive
import VectorTile

/// Gives leaf blocks the index that containers without a database want (docs/pmtiles.md). One a worker.
struct BlockIndexer: ~Copyable {
    private let archive: Archive
    private let reaches: [BlockReach]
    private var query: ClusterQuery?
    private var compressor: GzipCompressor
    private var builder = TileBuilder()

    /// - Parameters:
    ///   - archive: what the blocks come from, which is asked for points that are copied.
    ///   - reaches: what lies behind each block.
    ///   - compression: the level of it.
    init(_ archive: Archive, _ reaches: [BlockReach], compression: Int) {
        self.archive = archive
        self.reaches = reaches
        compressor = GzipCompressor(level: compression)
    }

    mutating func indexed(_ block: EncodedBlock) throws -> EncodedBlock {
        EncodedBlock(try index(of: block), leaves: block.leaves, with: &compressor)
    }

    /// The index that a block should have.
    mutating func index(of block: EncodedBlock) throws -> ClusterBlock {
        let reach = reaches[Int(block.number)]
        if query == nil { query = try ClusterQuery(archive) }
        let leaves = try query?.leaves(each: reach.worthACopy) ?? []
        return reach.index(
            ofBlock: block.number, leaves: try archive.leaves(ofBlock: block.number),
            clusters: block.clusters, weights: leaves.lazy.map(\.weight)
        ) { copies(of: leaves.prefix($0)) }
    }

    /// A vector tile with some leaves, as a block has them.
    private mutating func copies(of leaves: ArraySlice<Leaf>) -> [UInt8] {
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

extension Archive {
    /// What each leaf block is to say of those behind it.
    func blockReaches(threads: Int, isCancelled: @escaping @Sendable () -> Bool) throws
        -> [BlockReach]
    {
        let feed = try BlockFeed(self)
        var walk = ReachWalk(try blockLayout)
        do {
            try OrderedPipeline(threads: threads).run(
                next: {
                    if isCancelled() { throw ConversionError.cancelled }
                    return try feed.next()
                },
                state: { WorkerState<ClusterQuery?>(nil) },
                work: { query, block in
                    if query.value == nil { query.value = try ClusterQuery(self) }
                    return ReachWalk.Block(
                        leaves: try leaves(ofBlock: block.number),
                        points: try query.value?.points(ofBlock: block.number) ?? [],
                        hull: block.hull, clusters: block.clusters)
                },
                consume: { _ = try walk.enter($0) })
            return try walk.finish()
        } catch let fault as ReachFault {
            throw ArchiveError.damagedClusters(path: path, reason: "\(fault)")
        }
    }

    fileprivate func leaves(ofBlock number: Int64) throws -> Range<Int64> {
        try blockLayout.leaves(ofBlock: number).clamped(to: 0..<(description?.get().leafCount ?? 0))
    }

    var blockLayout: LeafBlockLayout {
        get throws { try description?.get().blockLayout ?? .usual }
    }
}
