import ArchiveContract
import SQLite

/// The payloads of an MBTiles archive's clusters: rows of a table.
final class MBTilesPayloads: ClusterPayloadSource {
    private let database: Database
    private var data: Statement
    let path: String
    let mostPayloads: Int64
    private let hasNumbers: Bool
    /// For each payload its row, once one is wanted, if rows do not follow from their numbers.
    private var rows: [Int64]?

    init(
        _ database: consuming Database, hasNumbers: Bool, fileBytes: Int, path: String
    ) throws(SQLiteError) {
        mostPayloads = Int64(fileBytes / ClusterPayload.headBytes)
        let (table, key) =
            hasNumbers ? (IndexTable.payloads, "payload") : (IndexTable.blocks, "block")
        data = try database.prepare("SELECT data FROM \(table) WHERE \(key) = ?1")
        self.hasNumbers = hasNumbers
        self.database = database
        self.path = path
    }

    func bytes(ofPayload number: Int64) throws(ArchiveError) -> [UInt8]? {
        guard let row = try row(ofPayload: number) else { return nil }
        defer { data.reset() }
        do {
            try data.bind(row, at: 1)
            return try data.step() ? data.blob(at: 0).copied : nil
        } catch {
            throw ArchiveError(reading: path, error)
        }
    }

    private func row(ofPayload number: Int64) throws(ArchiveError) -> Int64? {
        guard hasNumbers else { return number }
        if rows == nil { rows = try readRows() }
        guard let rows, number >= 0, number < rows.count else { return nil }
        return rows[Int(number)]
    }

    private func readRows() throws(ArchiveError) -> [Int64] {
        let rows: [Int64]
        do {
            rows = try PayloadNumbers.rows(in: database, most: mostPayloads)
        } catch {
            throw ArchiveError(reading: path, error)
        }
        // One row for many numbers could stand for more bytes than the file has.
        guard Set(rows).count == rows.count else {
            throw .damagedClusters(path: path, reason: "two payloads are the same row")
        }
        return rows
    }
}
