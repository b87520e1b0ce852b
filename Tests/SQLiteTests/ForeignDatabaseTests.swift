import Foundation
import SQLite
import Synchronization
import Testing

/// Files of strangers, whose schemas are programs.
struct ForeignDatabaseTests {
    /// Makes a file by those statements, and opens it as a stranger's.
    private func foreign<Result>(
        _ statements: [String], limits: ForeignLimits = ForeignLimits(),
        _ body: (borrowing Database) throws -> Result
    ) throws -> Result {
        let path = "/tmp/covey-foreign-\(UUID().uuidString).db"
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            let database = try Database(path: path, mode: .readWriteCreate)
            for statement in statements { try database.execute(statement) }
        }
        return try body(Database(foreign: path, limits: limits))
    }

    private let table =
        "CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y')"

    private func refusal(_ body: () throws -> Void) -> String {
        do {
            try body()
            Issue.record("it was not refused")
            return ""
        } catch let error as SQLiteError {
            #expect(error.fault.kind == .refused)
            return error.fault.message
        } catch {
            Issue.record("\(error)")
            return ""
        }
    }

    @Test(arguments: [
        "SELECT a, b LIKE '%a%a%a%a%a%b' AS b FROM t", "SELECT a, zeroblob(1 << 30) AS b FROM t",
        "SELECT a, randomblob(1 << 30) AS b FROM t", "SELECT a, printf('%900000d', 1) AS b FROM t",
        "SELECT a, b FROM t WHERE b GLOB '*a*a*b'",
        "SELECT a, (SELECT replace(b, 'x', 'yy')) AS b FROM t",
        "SELECT a, b FROM t ORDER BY zeroblob(a)", "SELECT a, group_concat(b) AS b FROM t",
        "WITH c AS (SELECT a, zeroblob(9) AS b FROM t) SELECT a, b FROM c",
        "SELECT x.a, y.b FROM t AS x JOIN t AS y ON x.b LIKE y.b",
        "SELECT a, b FROM t UNION ALL SELECT 3, randomblob(7)",
    ])
    func `a view may not call a function that costs more than its arguments`(view: String) throws {
        try foreign([table, "CREATE VIEW v AS \(view)", "CREATE VIEW w AS SELECT * FROM v"]) {
            (database: borrowing Database) throws in
            for name in ["v", "w"] {
                let message = refusal { _ = try database.prepare("SELECT a, b FROM \(name)") }
                #expect(message.contains("calls the function"), "\(message)")
            }
            // What the view rests on can be read, and the connection goes on.
            #expect(try database.integer("SELECT sum(a) FROM t") == 3)
        }
    }

    @Test func `views as honest files have them are read`() throws {
        let statements = [
            "CREATE TABLE map (z INT, x INT, y INT, id TEXT)",
            "CREATE TABLE images (id TEXT, data BLOB)",
            "INSERT INTO map VALUES (3, 1, 2, 'A')", "INSERT INTO images VALUES ('A', x'0102')",
            "CREATE VIEW tiles AS SELECT map.z AS zoom_level, map.x AS tile_column, "
                + "(1 << map.z) - 1 - map.y AS tile_row, images.data AS tile_data "
                + "FROM map JOIN images ON images.id = map.id",
            "CREATE VIEW names AS SELECT upper(trim(id)) AS name, count(*) AS n, round(avg(x), 1) AS m "
                + "FROM map GROUP BY id ORDER BY 1",
        ]
        try foreign(statements) { (database: borrowing Database) throws in
            #expect(try database.integer("SELECT tile_row FROM tiles WHERE zoom_level = 3") == 5)
            #expect(try database.text("SELECT name || n || m FROM names") == "A11.0")
        }
    }

    @Test func `a view may not recurse`() throws {
        let endless =
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c"
        try foreign([table, "CREATE VIEW v AS \(endless)"]) {
            (database: borrowing Database) throws in
            let message = refusal { _ = try database.prepare("SELECT * FROM v") }
            #expect(message == "the view c is recursive, which is not allowed")
        }
    }

    @Test func `a view may not read what is no table of the file`() throws {
        try foreign([table, "CREATE VIEW j AS SELECT value FROM json_each('[1]')"]) {
            (database: borrowing Database) throws in
            let message = refusal { _ = try database.prepare("SELECT * FROM j") }
            #expect(
                message == "the view j reads json_each, which is not a table or view of the file")
        }
    }

    @Test func `columns that are computed when they are read are refused, others are not`() throws {
        try foreign([
            "CREATE TABLE t (a INT, b TEXT AS (zeroblob(a)), c INT AS (a + 1) STORED)",
            "INSERT INTO t (a) VALUES (7)", "CREATE VIEW v AS SELECT a, b FROM t",
        ]) { (database: borrowing Database) throws in
            #expect(try database.integer("SELECT a * 10 + c FROM t") == 78)
            for sql in [
                "SELECT b FROM t", "SELECT * FROM t", "SELECT b FROM v", "SELECT 1 FROM t WHERE b",
            ] {
                let message = refusal { _ = try database.prepare(sql) }
                #expect(message.contains("reads the column b of t, which is computed"), "\(sql)")
            }
        }
    }

    @Test func `virtual tables are refused`() throws {
        try foreign([table, "CREATE VIRTUAL TABLE r USING rtree(id, x0, x1)"]) {
            (database: borrowing Database) throws in
            let message = refusal { _ = try database.prepare("SELECT id FROM r") }
            #expect(!message.isEmpty)
            #expect(try database.integer("SELECT a FROM t") == 1)
        }
    }

    @Test func `nothing but reading is done`() throws {
        try foreign([table]) { (database: borrowing Database) throws in
            for sql in [
                "ATTACH '/tmp/other.db' AS other", "DELETE FROM t", "CREATE TEMP TABLE u (a)",
                "CREATE TEMP VIEW u AS SELECT 1", "SELECT load_extension('x')",
            ] {
                _ = refusal { try database.execute(sql) }
            }
            #expect(try database.integer("PRAGMA page_size") ?? 0 > 0)
            #expect(try database.text("SELECT printf('%s', replace(b, 'x', 'z')) FROM t") == "z")
        }
    }

    @Test func `a user's query may do what the views it reads may not`() throws {
        try foreign([table, "CREATE VIEW v AS SELECT a, printf('%d', a) AS b FROM t"]) {
            (database: borrowing Database) throws in
            try database.createQuery(
                named: "mine",
                as: "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5) "
                    + "SELECT c.n, printf('%d-%s', n, t.b) AS s FROM c, t WHERE t.b LIKE 'x'")
            #expect(try database.integer("SELECT count(*) FROM mine") == 5)
            #expect(try database.text("SELECT s FROM mine WHERE n = 4") == "4-x")
        }
        try foreign([table, "CREATE VIEW v AS SELECT a, printf('%d', a) AS b FROM t"]) {
            (database: borrowing Database) throws in
            let message = refusal { try database.createQuery(named: "mine", as: "SELECT * FROM v") }
            #expect(message == "the view v calls the function printf, which is not allowed")
        }
    }

    /// A view that looks for ever for a first row, in pieces of a few steps.
    private let barren =
        "CREATE VIEW v AS SELECT a.a FROM t AS a, t AS b, t AS c, t AS d, t AS e WHERE "
        + "a.a + b.a + c.a + d.a + e.a < 0"
    private let hundred =
        "CREATE TABLE t AS WITH RECURSIVE c(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM c "
        + "WHERE a < 300) SELECT a FROM c"

    @Test func `a statement that gives no row for long is ended by the clock`() throws {
        var limits = ForeignLimits()
        limits.secondsWithoutRow = 0.2
        try foreign([hundred, barren], limits: limits) { (database: borrowing Database) throws in
            let error = #expect(throws: SQLiteError.self) {
                _ = try database.integer("SELECT a FROM v")
            }
            #expect(error?.fault.kind == .interrupted)
            #expect(error?.fault.message == "gave no row for 0.2 seconds")
            #expect(try database.integer("SELECT count(*) FROM t") == 300)
        }
    }

    @Test func `a statement that is no longer wanted is ended`() throws {
        final class Flag: Sendable { let isSet = Atomic(false) }
        let flag = Flag()
        var limits = ForeignLimits()
        limits.isCancelled = { flag.isSet.load(ordering: .relaxed) }
        try foreign([hundred, barren], limits: limits) { (database: borrowing Database) throws in
            #expect(try database.integer("SELECT count(*) FROM t") == 300)
            flag.isSet.store(true, ordering: .relaxed)
            let error = #expect(throws: SQLiteError.self) {
                _ = try database.integer("SELECT a FROM v")
            }
            #expect(error?.fault.kind == .cancelled)
        }
    }

    @Test func `a statement outlives its database, and its clock with it`() throws {
        var limits = ForeignLimits()
        limits.secondsWithoutRow = 0.2
        let path = "/tmp/covey-foreign-\(UUID().uuidString).db"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Database(path: path, mode: .readWriteCreate).execute("\(hundred); \(barren)")
        func statement() throws -> Statement {
            try Database(foreign: path, limits: limits).prepare("SELECT a FROM v")
        }
        var statement1 = try statement()
        #expect(throws: SQLiteError.self) { _ = try statement1.step() }
    }

    @Test func `what is sorted may only take so much room`() throws {
        var limits = ForeignLimits()
        limits.temporaryBytes = 1 << 20
        let sorted =
            "CREATE VIEW v AS SELECT a.a, b.a AS b, hex(c.a) AS c FROM t AS a, t AS b, t AS c "
            + "ORDER BY a.a + b.a + c.a"
        try foreign([hundred, sorted], limits: limits) { (database: borrowing Database) throws in
            let error = #expect(throws: SQLiteError.self) {
                var statement = try database.prepare("SELECT a, b, c FROM v")
                while try statement.step() {}
            }
            #expect(error?.fault.kind == .full)
            #expect(try database.integer("SELECT a FROM t ORDER BY a DESC") == 300)
        }
    }

    @Test func `a value may only be so long`() throws {
        var limits = ForeignLimits()
        limits.valueBytes = 100_000
        try foreign(["CREATE TABLE t AS SELECT zeroblob(200000) AS a"], limits: limits) {
            (database: borrowing Database) throws in
            let error = #expect(throws: SQLiteError.self) {
                _ = try database.text("SELECT a FROM t")
            }
            #expect(error?.fault.kind == .tooBig)
        }
    }

    @Test func `many short statements may take longer than a single one`() throws {
        var limits = ForeignLimits()
        limits.secondsWithoutRow = 0.15
        try foreign([hundred], limits: limits) { (database: borrowing Database) throws in
            // Long enough that the clock finds one of them at work whenever it looks.
            var statement = try database.prepare(
                "SELECT sum(t.a) FROM t, t AS b, (SELECT a FROM t LIMIT 5)")
            let clock = ContinuousClock()
            let start = clock.now
            while clock.now - start < .milliseconds(450) {
                #expect(try statement.step() && statement.integer(at: 0) == 45_150 * 1_500)
                statement.reset()
            }
        }
    }
}
