import ArchiveContract
import Compression
import SQLite

/// Answers what a live clustering engine would: which clusters there are, and what they hold.
///
/// Every answer costs O(answer · log n). A cluster's leaves are the interval `leaves`.
public struct ClusterIndex: ~Copyable {
    private var byKey: Statement
    private var following: Statement
    private var preceding: Statement
    private var blockData: Statement
    private var blockHull: Statement
    private var inflater = GzipInflater()
    /// No leaf has this number or a higher one.
    public let leafBound: Int64
    /// How the archive numbers its clusters.
    public let ids: ClusterIDs
    let path: String

    init(
        _ database: consuming Database, ids: ClusterIDs, path: String
    ) throws(SQLiteError) {
        let clusters = ClusterRecord.select
        let blocks = "FROM \(IndexTable.leafBlocks) WHERE block = ?1"
        let byKey = try database.prepare("\(clusters) WHERE rowid = ?1")
        let following = try database.prepare(
            "\(clusters) WHERE rowid >= ?1 ORDER BY rowid LIMIT 1")
        let preceding = try database.prepare(
            "\(clusters) WHERE rowid <= ?1 ORDER BY rowid DESC LIMIT 1")
        let blockData = try database.prepare("SELECT data \(blocks)")
        let blockHull = try database.prepare("SELECT hull \(blocks)")
        let lastBlock = try database.integer(
            "SELECT block FROM \(IndexTable.leafBlocks) ORDER BY block DESC LIMIT 1")
        leafBound =
            lastBlock.map { LeafBlockLayout.firstLeaf(ofBlock: min(max($0, 0), 1 << 32) + 1) } ?? 0
        self.byKey = byKey
        self.following = following
        self.preceding = preceding
        self.blockData = blockData
        self.blockHull = blockHull
        self.ids = ids
        self.path = path
    }

    // MARK: Rows

    /// The cluster with this id.
    public mutating func cluster(_ id: Int64) throws(ArchiveError) -> ClusterRecord {
        guard let key = ids.key(of: id), let record = try cluster(key) else {
            throw .unknownCluster(path: path, id: id)
        }
        return record
    }

    mutating func cluster(_ key: ClusterKey) throws(ArchiveError) -> ClusterRecord? {
        try checked(Self.row(of: &byKey, key.packed, path: path))
    }

    /// The first cluster in the order of keys whose packed key is not below `bound`.
    mutating func cluster(from bound: Int64) throws(ArchiveError) -> ClusterRecord? {
        try checked(Self.row(of: &following, bound, path: path))
    }

    /// The last cluster in the order of keys that does not come after `key`.
    mutating func cluster(upTo key: ClusterKey) throws(ArchiveError) -> ClusterRecord? {
        try checked(Self.row(of: &preceding, key.packed, path: path))
    }

    /// A row that claims more leaves than there are would make an answer without end.
    private func checked(_ record: ClusterRecord?) throws(ArchiveError) -> ClusterRecord? {
        guard let record, record.leaves.upperBound > leafBound else { return record }
        let last = record.leaves.upperBound - 1
        throw .damagedClusters(
            path: path,
            reason: "cluster \(ids.id(of: record.key)) claims leaf \(last) and those before it")
    }

    private static func row(
        of statement: inout Statement, _ number: Int64, path: String
    ) throws(ArchiveError) -> ClusterRecord? {
        defer { statement.reset() }
        do {
            try statement.bind(number, at: 1)
            guard try statement.step() else { return nil }
        } catch {
            throw ArchiveError(reading: path, error)
        }
        guard let record = ClusterRecord(row: statement) else {
            throw .damagedClusters(
                path: path, reason: "row \(statement.integer(at: 0)) makes no sense")
        }
        return record
    }

    // MARK: Leaf blocks

    /// The contents of a leaf block, a vector tile of at most `limit` bytes.
    public mutating func leafBlock(
        _ number: Int64, limit: Int
    ) throws(ArchiveError) -> [UInt8] {
        defer { blockData.reset() }
        try Self.seek(&blockData, block: number, path: path)
        do {
            return try inflater.inflate(blockData.blob(at: 0), limit: limit)
        } catch {
            throw .damagedLeafBlock(path: path, block: number, error)
        }
    }

    /// The corners of the convex hull of a block's points.
    public mutating func hull(ofLeafBlock number: Int64) throws(ArchiveError) -> [GridPoint] {
        defer { blockHull.reset() }
        try Self.seek(&blockHull, block: number, path: path)
        guard let corners = GridPoint.unpack(blockHull.blob(at: 0)) else {
            throw .damagedClusters(path: path, reason: "the hull of leaf block \(number)")
        }
        return corners
    }

    private static func seek(
        _ statement: inout Statement, block: Int64, path: String
    ) throws(ArchiveError) {
        do {
            try statement.bind(block, at: 1)
            if try statement.step() { return }
        } catch {
            throw ArchiveError(reading: path, error)
        }
        throw .unknownLeafBlock(path: path, block: block)
    }
}

// It owns its connection alone, and every use is exclusive.
extension ClusterIndex: @unchecked Sendable {}

extension ClusterRecord {
    /// The columns of a row that make up a cluster. By its alias a row's number is found whatever
    /// the format calls it.
    static let select = "SELECT rowid, leaves, x, y, up FROM \(IndexTable.clusters)"

    /// The cluster in a row, or nil if no cluster can look like that.
    init?(row: borrowing Statement) {
        self.init(
            Columns(
                key: row.integer(at: 0), leaves: row.integer(at: 1), x: row.integer(at: 2),
                y: row.integer(at: 3), up: row.kind(at: 4) == .null ? nil : row.integer(at: 4)))
    }
}
