import ArchiveContract
import Basics
import Compression

/// Answers the queries of a live clustering engine: which clusters there are, and what they hold.
///
/// Every query takes O(answer · log n). A cluster's leaves are the interval `leaves`.
public struct ClusterIndex: ~Copyable {
    private let finder: any ClusterFinder
    private var inflater = GzipInflater()
    /// All leaf numbers are below this.
    public let leafBound: Int64
    /// The archive's description of its clusters.
    public let description: ClusterDescription
    let path: String

    /// The division of the archive's leaves into blocks.
    public let table: LeafBlockTable

    init(_ finder: any ClusterFinder, _ described: ClusterDescription, path: String) {
        table = finder.table
        // As many leaves as the layers state, in blocks that exist.
        leafBound = min(table.leafCount, described.leafCount)
        description = described
        self.finder = finder
        self.path = path
    }

    // MARK: Rows

    /// The cluster with this id.
    public mutating func cluster(_ id: Int64) throws(ArchiveError) -> ClusterRecord {
        guard let candidates = try finder.candidates(for: id) else {
            guard let key = description.ids.key(of: id), let record = try cluster(key) else {
                throw .unknownCluster(path: path, id: id)
            }
            return record
        }
        let zoom = PlaceID(id)?.zoom
        let own = candidates.first { Int($0.key.zoom) == zoom && description.id(of: $0) == id }
        guard let own else {
            guard candidates.isEmpty else {
                throw .damagedClusters(
                    path: path, reason: "the index points id \(id) to a wrong place")
            }
            throw .unknownCluster(path: path, id: id)
        }
        return try checked(own)
    }

    mutating func cluster(_ key: ClusterKey) throws(ArchiveError) -> ClusterRecord? {
        try cluster(.exactly(key))
    }

    /// The cluster in the row that is found. A damaged row throws, as does a row that claims more leaves than
    /// there are, which would make an endless answer.
    mutating func cluster(_ search: ClusterSearch) throws(ArchiveError) -> ClusterRecord? {
        switch try finder.row(search) {
        case nil: return nil
        case .damaged(let number):
            throw .damagedClusters(path: path, reason: "row \(number) is not a valid cluster")
        case .cluster(let record): return try checked(record)
        }
    }

    private func checked(_ record: ClusterRecord) throws(ArchiveError) -> ClusterRecord {
        guard record.leaves.upperBound <= leafBound else {
            let last = record.leaves.upperBound - 1
            throw .damagedClusters(
                path: path,
                reason: "cluster \(description.id(of: record)) claims leaves up to \(last), "
                    + "more than there are")
        }
        return record
    }

    // MARK: What some containers keep ready

    /// The stored hull of a large cluster, if the archive has it.
    public mutating func outline(of key: ClusterKey) throws(ArchiveError) -> [GridPoint]? {
        try finder.outline(of: key)
    }

    /// The stored boxes around the points of all blocks, if the archive has them in one place.
    public mutating func blockBoxes() throws(ArchiveError) -> [GridBox]? {
        try finder.blockBoxes()
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
        guard let corners = try finder.hull(ofLeafBlock: number) else {
            throw .unknownLeafBlock(path: path, block: number)
        }
        // A hull has no more corners than the block has points.
        guard corners.count <= table.leaves(ofBlock: number).count else {
            throw .damagedClusters(
                path: path, reason: "the hull of leaf block \(number) has too many corners")
        }
        return corners
    }
}

// It owns its finder alone, and every use is exclusive.
extension ClusterIndex: @unchecked Sendable {}
