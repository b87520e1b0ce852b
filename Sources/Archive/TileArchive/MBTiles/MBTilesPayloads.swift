import ArchiveContract
import SQLite

/// The payloads of an MBTiles archive's clusters: rows of a table.
final class MBTilesPayloads: ClusterPayloadSource {
    private let database: Database
    private var data: Statement
    let path: String
    let mostPayloads: Int64

    init(
        _ database: consuming Database, fileBytes: Int, path: String
    ) throws(SQLiteError) {
        mostPayloads = Int64(fileBytes / ClusterPayload.headBytes)
        data = try database.prepare("SELECT data FROM \(IndexTable.blocks) WHERE block = ?1")
        self.database = database
        self.path = path
    }

    func bytes(ofPayload number: Int64) throws(ArchiveError) -> [UInt8]? {
        defer { data.reset() }
        do {
            try data.bind(number, at: 1)
            return try data.step() ? data.blob(at: 0).copied : nil
        } catch {
            throw ArchiveError(reading: path, error)
        }
    }
}
