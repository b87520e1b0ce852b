import Compression
import SQLite

/// Answers what a live clustering engine would: which clusters there are, and what they hold.
///
/// Every answer costs O(answer · log n). A cluster's leaves are the interval `leaves`.
public struct ClusterIndex: ~Copyable {
    private var byID: Statement
    private var following: Statement
    private var preceding: Statement
    private var blockData: Statement
    private var blockHull: Statement
    private var inflater = GzipInflater()
    /// No leaf has this number or a higher one.
    public let leafBound: Int64
    let path: String

    /// A leaf block holds so many leaves at most.
    public static let leavesPerBlock: Int64 = 4_000

    init(_ database: consuming Database, path: String) throws(SQLiteError) {
        let columns = "SELECT id, leaves, x, y, up FROM covey_clusters WHERE"
        let blocks = "FROM covey_leaf_blocks WHERE block = ?1"
        let byID = try database.prepare("\(columns) id = ?1")
        let following = try database.prepare("\(columns) id > ?1 ORDER BY id LIMIT 1")
        let preceding = try database.prepare("\(columns) id <= ?1 ORDER BY id DESC LIMIT 1")
        let blockData = try database.prepare("SELECT data \(blocks)")
        let blockHull = try database.prepare("SELECT hull \(blocks)")
        let lastBlock = try database.integer(
            "SELECT block FROM covey_leaf_blocks ORDER BY block DESC LIMIT 1")
        leafBound = lastBlock.map { (min(max($0, 0), 1 << 32) + 1) * Self.leavesPerBlock } ?? 0
        self.byID = byID
        self.following = following
        self.preceding = preceding
        self.blockData = blockData
        self.blockHull = blockHull
        self.path = path
    }

    // MARK: Rows

    /// The cluster with this id.
    public mutating func cluster(_ id: Int64) throws(ArchiveError) -> ClusterRecord {
        guard let record = try find(id) else { throw .unknownCluster(path: path, id: id) }
        return record
    }

    mutating func find(_ id: Int64) throws(ArchiveError) -> ClusterRecord? {
        try checked(Self.row(of: &byID, id, path: path))
    }

    /// The first cluster in the order of ids that comes after `id`.
    mutating func cluster(after id: Int64) throws(ArchiveError) -> ClusterRecord? {
        try checked(Self.row(of: &following, id, path: path))
    }

    /// The last cluster in the order of ids that does not come after `id`.
    mutating func cluster(upTo id: Int64) throws(ArchiveError) -> ClusterRecord? {
        try checked(Self.row(of: &preceding, id, path: path))
    }

    /// A row that claims more leaves than there are would make an answer without end.
    private func checked(_ record: ClusterRecord?) throws(ArchiveError) -> ClusterRecord? {
        guard let record, record.leaves.upperBound > leafBound else { return record }
        let last = record.leaves.upperBound - 1
        throw .damagedClusters(
            path: path, reason: "cluster \(record.id) claims leaf \(last) and those before it")
    }

    private static func row(
        of statement: inout Statement, _ id: Int64, path: String
    ) throws(ArchiveError) -> ClusterRecord? {
        defer { statement.reset() }
        do {
            try statement.bind(id, at: 1)
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
    /// The cluster in a row, or nil if no cluster can look like that.
    fileprivate init?(row: borrowing Statement) {
        let key = Key(id: row.integer(at: 0))
        let leafCount = row.integer(at: 1)
        guard key.firstLeaf >= 0, leafCount > 0, leafCount < 1 << 48,
            let x = Int32(exactly: row.integer(at: 2)), let y = Int32(exactly: row.integer(at: 3))
        else { return nil }
        var parent: Key?
        if row.kind(at: 4) != .null {
            let up = row.integer(at: 4)
            guard up > 0, up <= key.id else { return nil }
            let above = Key(id: key.id - up)
            // A parent forms at a shallower zoom; so climbing always ends.
            guard above.zoom < key.zoom else { return nil }
            parent = above
        }
        self.init(key: key, leafCount: leafCount, place: GridPoint(x: x, y: y), parent: parent)
    }
}
