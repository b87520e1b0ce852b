import ArchiveContract
import Basics
import Compression
import SQLite

/// Finds rows in the cluster tables of MBTiles archives up to format 3.
final class MBTilesClusterFinder: ClusterFinder {
    private let database: Database
    private var exact: Statement
    private var following: Statement
    private var preceding: Statement
    private var blockData: Statement
    private var blockHull: Statement
    private var page: Statement
    private var inflater = GzipInflater()
    let table: LeafBlockTable
    private let hasPlaces: Bool
    private let path: String

    init(
        _ database: consuming Database, _ described: ClusterDescription?, path: String
    ) throws(SQLiteError) {
        hasPlaces = described?.ids == .placed
        let clusters = ClusterRow.select(hasShifts: hasPlaces)
        let blocks = "FROM \(IndexTable.leafBlocks) WHERE block = ?1"
        exact = try database.prepare("\(clusters) WHERE rowid = ?1")
        following = try database.prepare("\(clusters) WHERE rowid >= ?1 ORDER BY rowid LIMIT 1")
        preceding = try database.prepare(
            "\(clusters) WHERE rowid <= ?1 ORDER BY rowid DESC LIMIT 1")
        blockData = try database.prepare("SELECT data \(blocks)")
        blockHull = try database.prepare("SELECT hull \(blocks)")
        let lastBlock = try database.integer(
            "SELECT block FROM \(IndexTable.leafBlocks) ORDER BY block DESC LIMIT 1")
        let size = described?.equalBlocks ?? LeafBlockLayout.mostLeaves
        // As many leaves as the layers state, in blocks that exist.
        let most = (min(max(lastBlock ?? -1, -1), 1 << 32) + 1) * size
        table = LeafBlockTable(blocksOf: size, leafCount: min(described?.leafCount ?? 0, most))
        // Without places as ids, there is no such table.
        let page = "FROM \(IndexTable.ids) WHERE first <= ?1 ORDER BY first DESC LIMIT 1"
        self.page = try database.prepare(
            hasPlaces ? "SELECT first, data \(page)" : "SELECT 0 WHERE ?1 IS NULL")
        self.database = database
        self.path = path
    }

    func row(_ search: ClusterSearch) throws(ArchiveError) -> ClusterRow? {
        switch search {
        case .exactly(let key): return try row(of: &exact, key.packed)
        case .first(let keys):
            let found = try row(of: &following, keys.lowerBound)
            if case .cluster(let record) = found, !keys.contains(record.key.packed) { return nil }
            return found
        case .upTo(let key): return try row(of: &preceding, key.packed)
        }
    }

    private func row(
        of statement: inout Statement, _ number: Int64
    ) throws(ArchiveError) -> ClusterRow? {
        defer { statement.reset() }
        return try seek(&statement, number) ? ClusterRow(statement) : nil
    }

    func candidates(for id: Int64) throws(ArchiveError) -> [ClusterRecord]? {
        guard hasPlaces else { return nil }
        defer { page.reset() }
        guard try seek(&page, id) else { return [] }
        let ids = try IDPage(
            ofTable: page.blob(at: 1).copied, first: page.integer(at: 0), path: path,
            with: &inflater)
        guard let index = ids.index(of: id), case .leaves(let leaves) = ids.targets,
            let zoom = PlaceID(id)?.zoom
        else { return [] }
        let key = ClusterKey(firstLeaf: leaves[index], zoom: UInt8(zoom))
        switch try row(.exactly(key)) {
        case .cluster(let record): return [record]
        case nil, .damaged:
            throw .damagedClusters(path: path, reason: "the index points id \(id) to a wrong place")
        }
    }

    func withLeafBlock(
        _ number: Int64, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool {
        defer { blockData.reset() }
        guard try seek(&blockData, number) else { return false }
        body(blockData.blob(at: 0))
        return true
    }

    func hull(ofLeafBlock number: Int64) throws(ArchiveError) -> [GridPoint]? {
        defer { blockHull.reset() }
        guard try seek(&blockHull, number) else { return nil }
        guard let corners = GridPoint.unpack(blockHull.blob(at: 0)) else {
            throw .damagedClusters(
                path: path, reason: "the hull of leaf block \(number) cannot be read")
        }
        return corners
    }

    private func seek(
        _ statement: inout Statement, _ number: Int64
    ) throws(ArchiveError) -> Bool {
        do {
            try statement.bind(number, at: 1)
            return try statement.step()
        } catch {
            throw ArchiveError(reading: path, error)
        }
    }
}
