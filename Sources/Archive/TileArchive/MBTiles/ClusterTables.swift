import ArchiveContract
import SQLite

/// Covey's own tables while they are written.
struct ClusterTables: ~Copyable {
    private var blockInsert: Statement
    private var insertOne: Statement
    private var insertBatch: Statement
    private var pageInsert: Statement
    /// Rows that wait to be inserted by one statement.
    private var waiting: [ClusterRecord] = []

    static let schema = """
        CREATE TABLE \(IndexTable.leafBlocks) (block INTEGER PRIMARY KEY, data BLOB, hull BLOB);
        CREATE TABLE \(IndexTable.clusters) (
            key INTEGER PRIMARY KEY, leaves INTEGER, x INTEGER, y INTEGER, up INTEGER, shift INTEGER);
        CREATE TABLE \(IndexTable.ids) (first INTEGER PRIMARY KEY, data BLOB);
        """

    init(in database: borrowing Database) throws(SQLiteError) {
        try database.execute(Self.schema)
        let blockInsert = try database.prepare(
            "INSERT INTO \(IndexTable.leafBlocks) VALUES (?1, ?3, ?2)")
        let pageInsert = try database.prepare(
            "INSERT INTO \(IndexTable.ids) VALUES (?1, ?2)")
        let insertOne = try database.prepare(Self.insertion(rows: 1))
        insertBatch = try database.prepare(Self.insertion(rows: Self.capacity))
        self.pageInsert = pageInsert
        self.insertOne = insertOne
        self.blockInsert = blockInsert
    }

    mutating func write(
        block: Int64, _ data: Span<UInt8>, hull: [GridPoint]
    ) throws(SQLiteError) {
        let corners = GridPoint.pack(hull)
        try blockInsert.bind(block, at: 1)
        try blockInsert.bind(corners.span, at: 2)
        try blockInsert.run(binding: data, at: 3)
    }

    mutating func write(_ record: ClusterRecord) throws(SQLiteError) {
        waiting.append(record)
        guard waiting.count == Self.capacity else { return }
        var parameter = 1
        for record in waiting { try Self.bind(record, to: &insertBatch, at: &parameter) }
        try insertBatch.run()
        waiting.removeAll(keepingCapacity: true)
    }

    mutating func write(_ page: EncodedPage) throws(SQLiteError) {
        try pageInsert.bind(page.first, at: 1)
        try pageInsert.run(binding: page.bytes.span, at: 2)
    }

    /// Inserts the rows that still wait.
    mutating func finish() throws(SQLiteError) {
        for record in waiting {
            var parameter = 1
            try Self.bind(record, to: &insertOne, at: &parameter)
            try insertOne.run()
        }
        waiting.removeAll()
    }

    /// Some dozens of rows a statement; more of them save nothing that can be measured.
    private static let capacity = 32

    private static func insertion(rows: Int) -> String {
        let row = "(?, ?, ?, ?, ?, ?)"
        return "INSERT INTO \(IndexTable.clusters) VALUES "
            + Array(repeating: row, count: rows).joined(separator: ", ")
    }

    private static func bind(
        _ record: ClusterRecord, to insert: inout Statement, at parameter: inout Int
    ) throws(SQLiteError) {
        let columns = record.columns
        try insert.bind(columns.key, at: parameter)
        try insert.bind(columns.leaves, at: parameter + 1)
        try insert.bind(columns.x, at: parameter + 2)
        try insert.bind(columns.y, at: parameter + 3)
        for (number, value) in [columns.up, columns.shift].enumerated() {
            if let value {
                try insert.bind(value, at: parameter + 4 + number)
            } else {
                try insert.bindNull(at: parameter + 4 + number)
            }
        }
        parameter += 6
    }
}
