import ArchiveContract
import Basics
import Compression
import SQLite

/// Finds rows of the cluster tables in an MBTiles archive.
final class MBTilesClusterFinder: ClusterFinder {
    private let database: Database
    private var exact: Statement
    private var following: Statement
    private var preceding: Statement
    private var blockData: Statement
    private var blockHull: Statement
    private var page: Statement
    private var inflater = GzipInflater()
    let lastBlock: Int64?
    private let path: String

    init(
        _ database: consuming Database, hasPlaces: Bool, path: String
    ) throws(SQLiteError) {
        let clusters = ClusterRow.select(hasShifts: hasPlaces)
        let blocks = "FROM \(IndexTable.leafBlocks) WHERE block = ?1"
        exact = try database.prepare("\(clusters) WHERE rowid = ?1")
        following = try database.prepare("\(clusters) WHERE rowid >= ?1 ORDER BY rowid LIMIT 1")
        preceding = try database.prepare(
            "\(clusters) WHERE rowid <= ?1 ORDER BY rowid DESC LIMIT 1")
        blockData = try database.prepare("SELECT data \(blocks)")
        blockHull = try database.prepare("SELECT hull \(blocks)")
        lastBlock = try database.integer(
            "SELECT block FROM \(IndexTable.leafBlocks) ORDER BY block DESC LIMIT 1")
        // Where ids are no places there is none.
        let page = "FROM \(IndexTable.ids) WHERE first <= ?1 ORDER BY first DESC LIMIT 1"
        self.page = try database.prepare(
            hasPlaces ? "SELECT first, data \(page)" : "SELECT 0 WHERE ?1 IS NULL")
        self.database = database
        self.path = path
    }

    func row(_ search: ClusterSearch) throws(ArchiveError) -> ClusterRow? {
        switch search {
        case .exactly(let key): try row(of: &exact, key.packed)
        case .from(let bound): try row(of: &following, bound)
        case .upTo(let key): try row(of: &preceding, key.packed)
        }
    }

    private func row(
        of statement: inout Statement, _ number: Int64
    ) throws(ArchiveError) -> ClusterRow? {
        defer { statement.reset() }
        return try seek(&statement, number) ? ClusterRow(statement) : nil
    }

    func page(of id: Int64) throws(ArchiveError) -> IDPage? {
        defer { page.reset() }
        guard try seek(&page, id) else { return nil }
        return try EncodedPage(first: page.integer(at: 0), bytes: page.blob(at: 1).copied)
            .unpacked(of: path, with: &inflater)
    }

    func withLeafBlock(
        _ number: Int64, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool {
        defer { blockData.reset() }
        guard try seek(&blockData, number) else { return false }
        body(blockData.blob(at: 0))
        return true
    }

    func withHull(
        ofLeafBlock number: Int64, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool {
        defer { blockHull.reset() }
        guard try seek(&blockHull, number) else { return false }
        body(blockHull.blob(at: 0))
        return true
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
