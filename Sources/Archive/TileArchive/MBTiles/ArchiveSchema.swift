import ArchiveContract
import SQLite

/// The tables of a database that tell how its tiles and clusters are stored.
struct ArchiveSchema {
    let layout: ArchiveLayout
    /// The tables of clusters in the database.
    private let tables: Set<String>
    private let isIndexed: Bool

    init(of database: borrowing Database, path: String) throws(ArchiveError) {
        do {
            guard let layout = try Self.layout(database) else {
                throw ArchiveError.wrongSchema(path: path, reason: "it has no table 'tiles'")
            }
            self.layout = layout
            tables = try Self.clusterTables(of: database)
            isIndexed = try Self.isIndexed(database)
        } catch let error as SQLiteError where error.fault.kind == .other {
            throw .wrongSchema(path: path, reason: error.fault.message)
        } catch let error as SQLiteError {
            throw ArchiveError(reading: path, error)
        } catch let error as ArchiveError {
            throw error
        } catch {
            throw .corrupt(path: path, reason: "\(error)")
        }
    }

    /// - Parameter format: the format in the archive's description of its clusters.
    func hasClusters(format: Int64?) -> Bool { wanted(format).isSubset(of: tables) }

    func warnings(format: Int64?) -> [ArchiveWarning] {
        let missing = wanted(format).subtracting(tables)
        // An archive with none of them has no clusters, which is fine.
        let isPartial = !missing.isEmpty && missing != wanted(format)
        return (isIndexed ? [] : [.noIndex])
            + (isPartial ? missing.sorted().map(ArchiveWarning.missingTable) : [])
    }

    /// Whether payloads have rows that do not follow from their numbers.
    var hasNumbers: Bool { tables.contains(IndexTable.numbers) }

    /// The tables of a format; without a format, those of the format that the tables look like.
    private func wanted(_ format: Int64?) -> Set<String> {
        switch format ?? (tables.isDisjoint(with: [IndexTable.clusters]) ? 4 : 2) {
        case 4...: hasNumbers ? [IndexTable.numbers, IndexTable.payloads] : [IndexTable.blocks]
        case 3: [IndexTable.clusters, IndexTable.leafBlocks, IndexTable.ids]
        default: [IndexTable.clusters, IndexTable.leafBlocks]
        }
    }

    private static func layout(
        _ database: borrowing Database
    ) throws(SQLiteError) -> ArchiveLayout? {
        var tables = try database.prepare(
            """
            SELECT type, wr FROM pragma_table_list
            WHERE schema = 'main' AND lower(name) = 'tiles'
            """)
        guard try tables.step() else { return nil }
        if tables.text(at: 0) == "view" { return .view }
        return tables.integer(at: 1) == 1 ? .tableWithoutRowID : .table
    }

    private static func clusterTables(
        of database: borrowing Database
    ) throws(SQLiteError) -> Set<String> {
        var found: Set<String> = []
        for name in [
            IndexTable.blocks, IndexTable.numbers, IndexTable.payloads, IndexTable.clusters,
            IndexTable.leafBlocks, IndexTable.ids,
        ] {
            let count = try database.integer(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(name)'")
            if count == 1 { found.insert(name) }
        }
        return found
    }

    /// Asks SQLite's planner how it would find a tile, which works for tables and views alike.
    private static func isIndexed(_ database: borrowing Database) throws(SQLiteError) -> Bool {
        var plan = try database.prepare("EXPLAIN QUERY PLAN \(MBTilesTileFinder.query)")
        while try plan.step() {
            if plan.text(at: 3)?.hasPrefix("SCAN") == true { return false }
        }
        return true
    }
}

extension ArchiveLayout {
    package static let table = ArchiveLayout(name: "table", words: "flat table")
    package static let tableWithoutRowID = ArchiveLayout(
        name: "tableWithoutRowID", words: "table without row ids")
    package static let view = ArchiveLayout(name: "view", words: "view over shared tiles")
}
