import ArchiveContract
import SQLite

/// What the tables of a database say about how its tiles are kept.
struct ArchiveSchema {
    let layout: ArchiveLayout
    /// The tables of clusters that are there.
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

    func hasClusters(withIDs: Bool) -> Bool { Self.wanted(withIDs).isSubset(of: tables) }

    /// - Parameter withIDs: whether ids are places, so that a table of them belongs to clusters.
    func warnings(withIDs: Bool) -> [ArchiveWarning] {
        let missing = Self.wanted(withIDs).subtracting(tables)
        // Without any there are no clusters, which is well.
        let isPartial = !missing.isEmpty && missing != Self.wanted(withIDs)
        return (isIndexed ? [] : [.noIndex])
            + (isPartial ? missing.sorted().map(ArchiveWarning.missingTable) : [])
    }

    private static func wanted(_ withIDs: Bool) -> Set<String> {
        Set([IndexTable.clusters, IndexTable.leafBlocks] + (withIDs ? [IndexTable.ids] : []))
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
        for name in [IndexTable.clusters, IndexTable.leafBlocks, IndexTable.ids] {
            let count = try database.integer(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(name)'")
            if count == 1 { found.insert(name) }
        }
        return found
    }

    /// Asks SQLite's planner how it would find a tile, which holds for tables and views alike.
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
