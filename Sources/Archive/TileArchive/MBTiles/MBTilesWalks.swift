import ArchiveContract
import Compression
import Geometry
import SQLite

/// Goes through the tiles of an MBTiles archive in the order of their keys.
final class MBTilesTileWalk: TileWalk {
    private var rows: RowWalk

    /// - Parameter columns: the columns that are read besides the numbers; if there are none, an index is enough.
    init(
        _ database: consuming Database, zooms: ClosedRange<Int>, columns: String = ", tile_data",
        _ budget: WorkBudget, path: String
    ) throws(SQLiteError) {
        rows = try RowWalk(
            database,
            """
            SELECT zoom_level, tile_column, tile_row\(columns) FROM tiles
            WHERE zoom_level BETWEEN \(zooms.lowerBound) AND \(zooms.upperBound)
            ORDER BY zoom_level, tile_column, tile_row
            """, budget, path: path)
    }

    func next(_ bytes: inout [UInt8]) throws(ArchiveError) -> TileID? {
        guard let tile = try next() else { return nil }
        try rows.copy(column: 3, to: &bytes)
        return tile
    }

    func next() throws(ArchiveError) -> TileID? {
        while try rows.next() {
            if let tile = TileID(row: rows.statement) { return tile }
        }
        return nil
    }
}

/// Goes through the table of clusters in the order of their keys.
final class MBTilesClusterWalk: ClusterWalk {
    private var rows: RowWalk

    init(
        _ database: consuming Database, hasShifts: Bool, _ budget: WorkBudget, path: String
    ) throws(SQLiteError) {
        let select = ClusterRow.select(hasShifts: hasShifts)
        rows = try RowWalk(database, "\(select) ORDER BY rowid", budget, path: path)
    }

    func next() throws(ArchiveError) -> ClusterRow? {
        try rows.next() ? ClusterRow(rows.statement) : nil
    }
}

/// Goes through the table of leaf blocks by their numbers.
final class MBTilesLeafBlockWalk: LeafBlockWalk {
    private var rows: RowWalk

    init(
        _ database: consuming Database, _ budget: WorkBudget, path: String
    ) throws(SQLiteError) {
        rows = try RowWalk(
            database, "SELECT block, data, hull FROM \(IndexTable.leafBlocks) ORDER BY block",
            budget, path: path)
    }

    func next(_ bytes: inout [UInt8], hull: inout [GridPoint]?) throws(ArchiveError) -> Int64? {
        guard try rows.next() else { return nil }
        try rows.copy(column: 1, to: &bytes)
        var corners: [UInt8] = []
        try rows.copy(column: 2, to: &corners)
        hull = GridPoint.unpack(corners.span)
        return rows.statement.integer(at: 0)
    }
}

/// Goes through the table of ids.
final class MBTilesIDWalk: IDWalk {
    private var rows: RowWalk
    private var inflater = GzipInflater()
    private let path: String

    init(
        _ database: consuming Database, _ budget: WorkBudget, path: String
    ) throws(SQLiteError) {
        self.path = path
        rows = try RowWalk(
            database, "SELECT first, data FROM \(IndexTable.ids) ORDER BY first", budget,
            path: path)
    }

    func next() throws(ArchiveError) -> [(id: Int64, target: Int64)]? {
        guard try rows.next() else { return nil }
        var bytes: [UInt8] = []
        try rows.copy(column: 1, to: &bytes)
        let page = try IDPage(
            ofTable: bytes, first: rows.statement.integer(at: 0), path: path, with: &inflater)
        guard case .leaves(let leaves) = page.targets else { return nil }
        return zip(page.ids, leaves).map { (id: $0, target: $1) }
    }
}

extension IDPage {
    /// A page of format 3, from a row of a table.
    init(
        ofTable bytes: [UInt8], first: Int64, path: String, with inflater: inout GzipInflater
    ) throws(ArchiveError) {
        do {
            guard let payload = ClusterPayload(bytes) else {
                throw ClusterBlockError.garbled("the header of the page is not valid")
            }
            try self.init(
                unpacking: payload.index(with: &inflater, limit: IDPage.largest), listing: 0)
            guard self.first == first, case .leaves = targets else {
                throw ClusterBlockError.garbled("it is not the expected page")
            }
        } catch {
            throw .damagedClusters(path: path, reason: "the ids from \(first) on: \(error)")
        }
    }
}

/// The rows of one statement: each has a time limit, and all together a work limit.
private struct RowWalk: ~Copyable {
    private let database: Database
    private(set) var statement: Statement
    private var budget: WorkBudget
    private let path: String
    /// Whether the statement has ended; stepping it again would restart it.
    private var isAtEnd = false

    init(
        _ database: consuming Database, _ sql: String, _ budget: WorkBudget, path: String
    ) throws(SQLiteError) {
        statement = try database.prepare(sql)
        self.budget = budget
        self.database = database
        self.path = path
    }

    mutating func next() throws(ArchiveError) -> Bool {
        guard !isAtEnd else { return false }
        do {
            isAtEnd = try !statement.step()
        } catch {
            isAtEnd = true
            throw ArchiveError(reading: path, error)
        }
        if !isAtEnd { try budget.take(tiles: 1, of: path) }
        return !isAtEnd
    }

    /// Replaces `bytes` with a blob.
    mutating func copy(column: Int, to bytes: inout [UInt8]) throws(ArchiveError) {
        bytes.removeAll(keepingCapacity: true)
        let blob = statement.blob(at: column)
        try budget.take(bytes: blob.count, of: path)
        unsafe blob.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
}

extension ClusterRow {
    /// Selects the columns of a cluster. The alias `rowid` finds the number of a row, whatever its name in the
    /// format.
    static func select(hasShifts: Bool) -> String {
        "SELECT rowid, leaves, x, y, up, \(hasShifts ? "shift" : "0") FROM \(IndexTable.clusters)"
    }

    /// Checks the kinds of the values: SQLite may store a text in a column of integers, and would read it as 0.
    init(_ row: borrowing Statement) {
        guard (1...3).allSatisfy({ row.kind(at: $0) == .integer }),
            (4...5).allSatisfy({ [.integer, .null].contains(row.kind(at: $0)) })
        else {
            self = .damaged(row.integer(at: 0))
            return
        }
        let record = ClusterRecord(
            packed: row.integer(at: 0), leaves: row.integer(at: 1), x: row.integer(at: 2),
            y: row.integer(at: 3), up: row.kind(at: 4) == .null ? nil : row.integer(at: 4),
            shift: row.integer(at: 5))
        self = record.map(ClusterRow.cluster) ?? .damaged(row.integer(at: 0))
    }
}
