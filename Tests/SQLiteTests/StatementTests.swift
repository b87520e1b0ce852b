import SQLite
import TestSupport
import Testing

struct StatementTests {
    @Test func `values come back as they were bound`() throws {
        let database = try Database()
        try database.execute("CREATE TABLE t (a, b, c, d, e)")
        var insert = try database.prepare("INSERT INTO t VALUES (?, ?, ?, ?, ?)")
        let blob: [UInt8] = [0, 1, 255]
        try insert.bind(Int64.min, at: 1)
        try insert.bind(0.1, at: 2)
        try insert.bind("Zürich\0x", at: 3)
        try insert.bind(blob.span, at: 4)
        try insert.bindNull(at: 5)
        try insert.run()
        var rows = try database.prepare("SELECT * FROM t")
        #expect(try rows.step())
        #expect(rows.columnCount == 5 && rows.name(ofColumn: 2) == "c")
        #expect(rows.integer(at: 0) == .min && rows.double(at: 1) == 0.1)
        #expect(rows.text(at: 2) == "Zürich\0x" && rows.text(at: 4) == nil)
        #expect(Array(copying: rows.blob(at: 3)) == blob && rows.byteCount(at: 3) == 3)
        #expect((0..<5).map { rows.kind(at: $0) } == [.integer, .double, .text, .blob, .null])
        #expect(try !rows.step())
    }

    @Test(arguments: [0, 1, 100_000])
    func `a borrowed blob is stored whole, an empty one is not null`(count: Int) throws {
        var random = SeededRandom(seed: 1)
        let blob = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let database = try Database()
        try database.execute("CREATE TABLE t (a INTEGER, b BLOB)")
        var insert = try database.prepare("INSERT INTO t VALUES (?1, ?2)")
        try insert.bind(7, at: 1)
        try insert.run(binding: blob.span, at: 2)
        try insert.run()
        #expect(database.changes == 1)
        var rows = try database.prepare("SELECT b FROM t ORDER BY rowid")
        #expect(try rows.step())
        #expect(rows.kind(at: 0) == .blob && Array(copying: rows.blob(at: 0)) == blob)
        #expect(try rows.step())
        #expect(rows.kind(at: 0) == .null && rows.blob(at: 0).isEmpty)
    }

    @Test func `pieces of borrowed bytes are stored each in its place`() throws {
        let database = try Database()
        try database.execute("CREATE TABLE t (a BLOB, b BLOB, c BLOB)")
        var insert = try database.prepare("INSERT INTO t VALUES (?2, ?3, ?4)")
        let bytes: [UInt8] = [1, 2, 3, 4, 5]
        try insert.run(binding: bytes.span, cutAt: [2, 2, 5], from: 2)
        try insert.run()
        var rows = try database.prepare("SELECT a, b, c FROM t ORDER BY rowid")
        #expect(try rows.step())
        #expect((0..<3).map { Array(copying: rows.blob(at: $0)) } == [[1, 2], [], [3, 4, 5]])
        #expect((0..<3).allSatisfy { rows.kind(at: $0) == .blob })
        #expect(try rows.step() && (0..<3).allSatisfy { rows.kind(at: $0) == .null })
    }

    @Test func `an empty text is not null`() throws {
        let database = try Database()
        var rows = try database.prepare("SELECT ?")
        try rows.bind("", at: 1)
        #expect(try rows.step() && rows.kind(at: 0) == .text && rows.text(at: 0) == "")
    }

    @Test func `a statement outlives its connection`() throws {
        func statement() throws -> Statement {
            let database = try Database()
            return try database.prepare("SELECT 42")
        }
        var rows = try statement()
        #expect(try rows.step() && rows.integer(at: 0) == 42)
    }

    @Test func `errors carry the SQL and SQLite's words`() throws {
        let database = try Database()
        let error = #expect(throws: SQLiteError.self) { try database.execute("SELEC 1") }
        #expect(
            error?.description
                == "SQLite: near \"SELEC\": syntax error (code 1), in: SELEC 1")
        #expect(throws: SQLiteError.self) { _ = try database.prepare("  ") }
        try database.execute("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
        var insert = try database.prepare("INSERT INTO t VALUES (1)")
        let twice = #expect(throws: SQLiteError.self) { try insert.run() }
        #expect(twice?.fault.kind == .constraint)
        let outOfRange = #expect(throws: SQLiteError.self) { try insert.bind(1, at: 1) }
        #expect(outOfRange?.fault.code == 25)
    }

    @Test func `a watcher can stop a statement`() throws {
        var database = try Database()
        database.watchProgress(everySteps: 1_000) { false }
        let endless =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"
        let error = #expect(throws: SQLiteError.self) { _ = try database.integer(endless) }
        #expect(error?.fault.kind == .interrupted)
        database.watchProgress(everySteps: 1_000) { true }
        #expect(try database.integer("SELECT 1") == 1)
    }
}

extension Array {
    init(copying span: borrowing Span<Element>) where Element: BitwiseCopyable {
        self = span.withUnsafeBufferPointer { Array($0) }
    }
}
