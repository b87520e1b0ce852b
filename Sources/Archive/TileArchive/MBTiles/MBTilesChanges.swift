import ArchiveContract
import Basics
import Geometry
import Platform
import SQLite

/// Changes an MBTiles archive in place: in one transaction, and only rows that differ.
///
/// Until the end, SQLite keeps the old pages in a journal beside the archive. A process that is killed leaves
/// both, and the next program that opens the archive restores the old pages.
final class MBTilesChanges: ChangingArchive {
    private let path: String
    private let patience: Duration
    private let isCancelled: () -> Bool
    private let database: Database
    private var tiles: TileStatements
    /// Nil if the archive has none.
    private var payloads: ChangingPayloads?

    private struct TileStatements: ~Copyable {
        var insert: Statement
        var update: Statement
        var delete: Statement
    }

    /// Changed pages are written at the end, unless they exceed this; until then, readers can go on.
    private static let cacheKiB = 256 << 10
    /// How long other programs may read on before this one gives up.
    private static let patience = Duration.seconds(300)
    /// How long SQLite waits for locks of readers that began at the same moment, and for another writer, in milliseconds.
    private static let shortPatience: Int32 = 30_000

    /// - Returns: nil if a new file would have other tables or another page size, if the archive cannot be written, or if
    ///   it has other names: a copy that is kept as a hard link must not change.
    /// - Parameter tileBytes: the size of all tiles together after the changes.
    init?(
        _ path: String, tileBytes: Int, patience: Duration = patience,
        shortPatience: Int32 = shortPatience, isCancelled: (() -> Bool)? = nil
    ) throws(ArchiveError) {
        guard FileStatus.nameCount(of: path) == 1 else { return nil }
        do {
            database = try Database(path: path, mode: .readWrite)
            database.setBusyTimeout(milliseconds: shortPatience)
            let pageSize = try database.integer("PRAGMA page_size")
            guard
                pageSize == WriterSession.pageSize(hasFewTiles: tileBytes < MBTilesWriter.manyBytes)
            else { return nil }
            let kind = try database.text(
                "SELECT type FROM sqlite_schema WHERE name = '\(IndexTable.blocks)'")
            guard kind != "table" else { return nil }
            try database.execute(
                """
                PRAGMA synchronous = FULL; PRAGMA cache_size = -\(Self.cacheKiB);
                BEGIN IMMEDIATE
                """)
            let place = "zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3"
            tiles = TileStatements(
                insert: try database.prepare("INSERT INTO tiles VALUES (?1, ?2, ?3, ?4)"),
                update: try database.prepare("UPDATE tiles SET tile_data = ?4 WHERE \(place)"),
                delete: try database.prepare("DELETE FROM tiles WHERE \(place)"))
            payloads = kind == nil ? nil : try ChangingPayloads(in: database)
        } catch {
            if error.fault.kind == .readOnly { return nil }
            throw ArchiveError(writing: path, error)
        }
        self.path = path
        self.patience = patience
        self.isCancelled = isCancelled ?? { false }
    }

    func set(
        _ tile: TileID, _ change: TileChange, gzip bytes: Span<UInt8>
    ) throws(ArchiveError) {
        try writing { () throws(SQLiteError) in
            switch change {
            case .added: try Self.run(&tiles.insert, tile, bytes)
            case .changed, .repacked: try Self.run(&tiles.update, tile, bytes)
            case .removed: try Self.run(&tiles.delete, tile, nil)
            }
        }
        guard database.changes == 1 else {
            throw .cannotWrite(
                path: path, reason: "tile \(tile) has changed since it was read; try again")
        }
    }

    private static func run(
        _ statement: inout Statement, _ tile: TileID, _ bytes: Span<UInt8>?
    ) throws(SQLiteError) {
        try statement.bind(Int(tile.z), at: 1)
        try statement.bind(Int(tile.x), at: 2)
        try statement.bind(Int(tile.tmsRow), at: 3)
        guard let bytes else { return try statement.run() }
        try statement.run(binding: bytes, at: 4)
    }

    func keep(payload former: Int) -> Bool { payloads?.keep(former) ?? true }

    func write(payload: Span<UInt8>, sum: String) throws(ArchiveError) {
        try writing { () throws(SQLiteError) in try payloads?.write(payload) }
    }

    func finish(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        try metadata.checkLength()
        try writing { () throws(SQLiteError) in
            try payloads?.finish(in: database)
            try database.execute("DELETE FROM metadata")
            try database.insert(metadata)
        }
        try commit()
    }

    private func commit() throws(ArchiveError) {
        let gate = try ReaderGate(of: path)
        defer { extendLifetime(gate) }
        do throws(ArchiveError) {
            guard gate.wait(patience, isCancelled: isCancelled) else {
                throw isCancelled() ? .cancelled(path: path) : .locked(path: path)
            }
            try writing { () throws(SQLiteError) in try database.execute("COMMIT") }
        } catch {
            // Its locks must not end before the transaction does.
            try? database.execute("ROLLBACK")
            throw error
        }
    }

    private func writing(_ body: () throws(SQLiteError) -> Void) throws(ArchiveError) {
        do { try body() } catch { throw ArchiveError(writing: path, error) }
    }
}
