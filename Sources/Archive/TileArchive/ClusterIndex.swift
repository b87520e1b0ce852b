import ArchiveContract
import Basics
import Compression

/// Answers what a live clustering engine would: which clusters there are, and what they hold.
///
/// Every answer costs O(answer · log n). A cluster's leaves are the interval `leaves`.
public struct ClusterIndex: ~Copyable {
    private let finder: any ClusterFinder
    private var inflater = GzipInflater()
    /// No leaf has this number or a higher one.
    public let leafBound: Int64
    /// What the archive says of its clusters.
    public let description: ClusterDescription
    let path: String

    /// How it cuts its leaves into blocks.
    public var layout: LeafBlockLayout { description.blockLayout }

    init(_ finder: any ClusterFinder, _ described: ClusterDescription, path: String) {
        let lastBlock = finder.lastBlock.map { min(max($0, 0), 1 << 32) } ?? -1
        // As many as the layers say, in blocks that exist.
        leafBound = min(
            described.blockLayout.firstLeaf(ofBlock: lastBlock + 1), described.leafCount)
        description = described
        self.finder = finder
        self.path = path
    }

    // MARK: Rows

    /// The cluster with this id.
    public mutating func cluster(_ id: Int64) throws(ArchiveError) -> ClusterRecord {
        let page = description.ids == .placed ? try finder.page(of: id) : nil
        guard let key = page?.key(of: id) ?? description.ids.key(of: id) else {
            throw .unknownCluster(path: path, id: id)
        }
        guard let record = try cluster(key), description.id(of: record) == id else {
            guard page == nil else {
                throw .damagedClusters(path: path, reason: "id \(id) leads to no such cluster")
            }
            throw .unknownCluster(path: path, id: id)
        }
        return record
    }

    mutating func cluster(_ key: ClusterKey) throws(ArchiveError) -> ClusterRecord? {
        try cluster(.exactly(key))
    }

    /// The cluster in the row that is found, unless it is damaged. A row that claims more leaves
    /// than there are would make an answer without end.
    mutating func cluster(_ search: ClusterSearch) throws(ArchiveError) -> ClusterRecord? {
        switch try finder.row(search) {
        case nil: return nil
        case .damaged(let number):
            throw .damagedClusters(path: path, reason: "row \(number) makes no sense")
        case .cluster(let record):
            guard record.leaves.upperBound <= leafBound else {
                let last = record.leaves.upperBound - 1
                throw .damagedClusters(
                    path: path,
                    reason: "cluster \(description.id(of: record)) claims leaf \(last) and those "
                        + "before it")
            }
            return record
        }
    }

    // MARK: What some containers keep ready

    /// The box and hull of a cluster, if the archive keeps them.
    public mutating func shape(of key: ClusterKey) throws(ArchiveError) -> ClusterShape? {
        try finder.shape(of: key)
    }

    /// The boxes around the points of all blocks, if the archive keeps them in one place.
    public mutating func blockBoxes() throws(ArchiveError) -> [GridBox]? {
        try finder.blockBoxes()
    }

    /// The clusters into which one comes apart, if the archive keeps them in one place.
    mutating func keptChildren(of key: ClusterKey) throws(ArchiveError) -> [ClusterRecord]? {
        try finder.children(of: key)
    }

    // MARK: Leaf blocks

    /// The contents of a leaf block, a vector tile of at most `limit` bytes.
    public mutating func leafBlock(
        _ number: Int64, limit: Int
    ) throws(ArchiveError) -> [UInt8] {
        var stored: [UInt8]?
        _ = try finder.withLeafBlock(number) { stored = $0.copied }
        guard let stored else { throw .unknownLeafBlock(path: path, block: number) }
        do {
            return try inflater.inflate(stored.span, limit: limit)
        } catch {
            throw .damagedLeafBlock(path: path, block: number, error)
        }
    }

    /// The corners of the convex hull of a block's points.
    public mutating func hull(ofLeafBlock number: Int64) throws(ArchiveError) -> [GridPoint] {
        var corners: [GridPoint]?
        guard try finder.withHull(ofLeafBlock: number, { corners = GridPoint.unpack($0) }) else {
            throw .unknownLeafBlock(path: path, block: number)
        }
        // A hull has no more corners than the block has points.
        guard let corners, corners.count <= layout.leavesPerBlock else {
            throw .damagedClusters(path: path, reason: "the hull of leaf block \(number)")
        }
        return corners
    }
}

// It owns its finder alone, and every use is exclusive.
extension ClusterIndex: @unchecked Sendable {}
