import ArchiveContract
import SQLite

/// Goes through an archive's leaf blocks by their numbers, one at a time.
///
///     var scan = try archive.scanLeafBlocks()
///     while let block = try scan.next() { use(block, scan.bytes) }
public struct LeafBlockScan: ~Copyable {
    private let database: Database
    private let budget = StepBudget()
    private var rows: Statement
    private let path: String
    /// A statement that has come to its end would begin again.
    private var isAtEnd = false

    init(_ opened: consuming Database, path: String) throws(SQLiteError) {
        var database = opened
        budget.bind(&database)
        rows = try database.prepare(
            "SELECT block, data, hull FROM \(IndexTable.leafBlocks) ORDER BY block")
        self.database = database
        self.path = path
    }

    /// Goes to the next block and gives its number; nil when there is none.
    public mutating func next() throws(ArchiveError) -> Int64? {
        guard !isAtEnd else { return nil }
        budget.renew()
        do {
            isAtEnd = try !rows.step()
        } catch {
            isAtEnd = true
            throw ArchiveError(reading: path, error)
        }
        return isAtEnd ? nil : rows.integer(at: 0)
    }

    /// The stored bytes of the block that `next` went to, valid until it is called again.
    public var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { unsafe _overrideLifetime(rows.blob(at: 1), borrowing: self) }
    }

    /// The corners of the hull of the block's points; nil if they make no sense.
    public var hull: [GridPoint]? { GridPoint.unpack(rows.blob(at: 2)) }
}

// It owns its connection alone, and every use that moves it is exclusive.
extension LeafBlockScan: @unchecked Sendable {}
