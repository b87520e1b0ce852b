import ArchiveContract
import SQLite

/// The table of payloads for queries about clusters, while it is being written.
struct PayloadTable: ~Copyable {
    private var insert: Statement
    /// Gives a row its number, if they may change.
    private var number: Statement?
    private var count = 0

    init(in database: borrowing Database, mayChange: Bool) throws(SQLiteError) {
        let (name, key) =
            mayChange ? (IndexTable.payloads, "payload") : (IndexTable.blocks, "block")
        try database.execute("CREATE TABLE \(name) (\(key) INTEGER PRIMARY KEY, data BLOB)")
        let numbers = IndexTable.numbers
        if mayChange {
            try database.execute(
                """
                CREATE TABLE \(numbers) (block INTEGER PRIMARY KEY, payload INTEGER);
                CREATE VIEW \(IndexTable.blocks) AS
                    SELECT block, data FROM \(numbers) JOIN \(name) USING (payload);
                """)
        }
        number = mayChange ? try database.prepare("INSERT INTO \(numbers) VALUES (?1, ?1)") : nil
        insert = try database.prepare("INSERT INTO \(name) VALUES (?1, ?2)")
    }

    mutating func write(_ payload: Span<UInt8>) throws(SQLiteError) {
        try insert.bind(count, at: 1)
        try insert.run(binding: payload, at: 2)
        try number?.bind(count, at: 1)
        try number?.run()
        count += 1
    }
}

/// The payloads of an archive that is changed in place. Each keeps its row, whatever its number becomes.
struct ChangingPayloads: ~Copyable {
    private var statements: Statements
    /// For each number, the row of its payload before the changes.
    private let before: [Int64]
    private var now: [Int64] = []
    /// The rows that have no number yet.
    private var left: Set<Int64>
    private var newRow: Int64

    private struct Statements: ~Copyable {
        var insert: Statement
        var remove: Statement
        var number: Statement
    }

    init(in database: borrowing Database) throws(SQLiteError) {
        let (table, numbers) = (IndexTable.payloads, IndexTable.numbers)
        let rows = try PayloadNumbers.rows(in: database)
        let newRow = try database.integer("SELECT max(payload) + 1 FROM \(table)") ?? 0
        statements = Statements(
            insert: try database.prepare("INSERT INTO \(table) VALUES (?1, ?2)"),
            remove: try database.prepare("DELETE FROM \(table) WHERE payload = ?1"),
            number: try database.prepare("REPLACE INTO \(numbers) VALUES (?1, ?2)"))
        (before, left, self.newRow) = (rows, Set(rows), newRow)
    }

    /// Makes a payload the next one.
    /// - Parameter former: its number before the changes.
    /// - Returns: false if there is none, or if it has got a number already.
    mutating func keep(_ former: Int) -> Bool {
        guard before.indices.contains(former), left.remove(before[former]) != nil else {
            return false
        }
        now.append(before[former])
        return true
    }

    /// Adds the next payload.
    mutating func write(_ payload: Span<UInt8>) throws(SQLiteError) {
        try statements.insert.bind(newRow, at: 1)
        try statements.insert.run(binding: payload, at: 2)
        now.append(newRow)
        newRow += 1
    }

    /// Removes payloads without a number, and writes the numbers that differ.
    mutating func finish(in database: borrowing Database) throws(SQLiteError) {
        for row in left.sorted() {
            try statements.remove.bind(row, at: 1)
            try statements.remove.run()
        }
        for (index, row) in now.enumerated() where index >= before.count || before[index] != row {
            try statements.number.bind(index, at: 1)
            try statements.number.bind(row, at: 2)
            try statements.number.run()
        }
        try database.execute("DELETE FROM \(IndexTable.numbers) WHERE block >= \(now.count)")
    }
}

/// Where the payloads of an archive are that can be changed in place.
enum PayloadNumbers {
    /// For each number, the row of its payload, up to the first number that is missing.
    static func rows(
        in database: borrowing Database, most: Int64 = .max
    ) throws(SQLiteError) -> [Int64] {
        var select = try database.prepare(
            "SELECT block, payload FROM \(IndexTable.numbers) ORDER BY block LIMIT \(most)")
        var rows: [Int64] = []
        while try select.step(), select.integer(at: 0) == rows.count {
            rows.append(select.integer(at: 1))
        }
        return rows
    }
}
