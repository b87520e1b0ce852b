import Geometry
import SQLite

/// Looks up tiles in the table or view of an MBTiles archive.
final class MBTilesTileFinder: TileFinder {
    private var database: Database
    private var lookUp: Statement
    private let path: String

    static let query =
        "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3"

    init(_ database: consuming Database, path: String) throws(SQLiteError) {
        lookUp = try database.prepare(Self.query)
        self.database = database
        self.path = path
    }

    /// Within one transaction, the file is locked once, and not checked again for each tile.
    func holdStill() throws(ArchiveError) {
        do {
            try database.execute("BEGIN")
        } catch {
            throw ArchiveError(reading: path, error)
        }
    }

    func withTile(
        at tile: TileID, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool {
        defer { lookUp.reset() }
        do {
            try lookUp.bind(Int64(tile.z), at: 1)
            try lookUp.bind(Int64(tile.x), at: 2)
            try lookUp.bind(Int64(tile.tmsRow), at: 3)
            guard try lookUp.step() else { return false }
        } catch {
            throw ArchiveError(reading: path, error)
        }
        body(lookUp.blob(at: 0))
        return true
    }
}
