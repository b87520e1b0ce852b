import ArchiveContract
import SQLite

/// Goes through the rows of an archive's cluster index in the order of their keys, which is a walk
/// down the hierarchy: a cluster, then what lies in it.
///
///     var scan = try archive.scanClusters()
///     while let row = try scan.next() { use(row) }
public struct ClusterScan: ~Copyable {
    private let database: Database
    private let budget = StepBudget()
    private var rows: Statement
    private let path: String

    public enum Row: Hashable, Sendable {
        case cluster(ClusterRecord)
        /// No cluster can look like that; the number is the row's.
        case damaged(Int64)
    }

    init(_ opened: consuming Database, path: String) throws(SQLiteError) {
        var database = opened
        budget.bind(&database)
        rows = try database.prepare("\(ClusterRecord.select) ORDER BY rowid")
        self.database = database
        self.path = path
    }

    /// The next row; nil behind the last.
    public mutating func next() throws(ArchiveError) -> Row? {
        budget.renew()
        do {
            guard try rows.step() else { return nil }
        } catch {
            throw ArchiveError(reading: path, error)
        }
        return ClusterRecord(row: rows).map(Row.cluster) ?? .damaged(rows.integer(at: 0))
    }
}

// It owns its connection alone, and every use that moves it is exclusive.
extension ClusterScan: @unchecked Sendable {}
