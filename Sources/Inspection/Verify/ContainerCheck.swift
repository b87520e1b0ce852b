import SQLite
import TileArchive

/// The database around the tiles: SQLite's own checks, and those of MBTiles 1.3.
struct ContainerCheck {
    let archive: Archive

    /// "MPBX", what MBTiles 1.3 gives as application id.
    private static let applicationID: Int64 = 0x4d50_4258

    func findings() throws(SQLiteError) -> FindingList {
        var findings = FindingList()
        let database = try Database(path: archive.path, mode: .readOnly)
        try notingDamage(in: &findings) { findings throws(SQLiteError) in
            try checkIntegrity(database, &findings)
        }
        for warning in archive.warnings { note(warning, &findings) }
        let id = try database.integer("PRAGMA application_id") ?? 0
        if id != 0 && id != Self.applicationID {
            findings.add(
                .warning, "application-id", "the application id is that of another format",
                at: "0x" + String(id, radix: 16))
        }
        try notingDamage(in: &findings) { findings throws(SQLiteError) in
            try checkKeys(database, &findings)
        }
        return findings
    }

    /// Makes a finding of a page that SQLite can't make sense of.
    private func notingDamage(
        in findings: inout FindingList,
        _ check: (inout FindingList) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        do throws(SQLiteError) {
            try check(&findings)
        } catch {
            guard error.fault.kind == .corrupt else { throw error }
            findings.add(
                .error, "integrity", "SQLite finds the database damaged",
                at: error.fault.message)
        }
    }

    private func checkIntegrity(
        _ database: borrowing Database, _ findings: inout FindingList
    ) throws(SQLiteError) {
        var rows = try database.prepare("PRAGMA integrity_check(20)")
        while try rows.step() {
            guard let text = rows.text(at: 0), text != "ok" else { continue }
            findings.add(.error, "integrity", "SQLite finds the database damaged", at: text)
        }
    }

    private func note(_ warning: ArchiveWarning, _ findings: inout FindingList) {
        switch warning {
        case .noIndex: findings.add(.warning, "no-index", warning.description)
        case .noMetadata: findings.add(.error, "no-metadata", warning.description)
        case .missing: findings.add(.error, "missing-row", warning.description)
        case .garbled: findings.add(.error, "garbled-row", warning.description)
        case .repeated: findings.add(.error, "repeated-row", warning.description)
        }
    }

    /// Rows that no zoom, column and row name are passed over by everybody who looks tiles up.
    private func checkKeys(
        _ database: borrowing Database, _ findings: inout FindingList
    ) throws(SQLiteError) {
        var strays = try database.prepare(
            """
            SELECT quote(zoom_level), quote(tile_column), quote(tile_row) FROM tiles
            WHERE typeof(zoom_level) <> 'integer' OR typeof(tile_column) <> 'integer'
            OR typeof(tile_row) <> 'integer' OR zoom_level NOT BETWEEN 0 AND 31
            OR tile_column NOT BETWEEN 0 AND (1 << zoom_level) - 1
            OR tile_row NOT BETWEEN 0 AND (1 << zoom_level) - 1
            """)
        while try strays.step() {
            let key = (0..<3).map { strays.text(at: $0) ?? "NULL" }.joined(separator: ",")
            findings.add(
                .error, "key-range", "a row names a tile that does not exist", at: key)
        }
    }
}
