import Foundation
import SQLite
import Testing

/// What strangers' views may do, tried with one view a function and an action.
struct ForeignActionTests {
    /// Linear in what they are given; each with arguments that give something else than null.
    private static let harmless = [
        "abs(-1)", "acos(1)", "asin(1)", "atan(1)", "atan2(1, 1)", "avg(a)", "ceil(a)",
        "ceiling(a)",
        "coalesce(NULL, a)", "cos(a)", "count(a)", "date(0)", "datetime(0)", "degrees(a)", "exp(a)",
        "floor(a)", "hex(b)", "ifnull(a, 0)", "iif(a, 1, 2)", "instr(b, 'x')",
        "json_extract('[1]', '$[0]')", "json_type('[1]')", "json_valid(b)", "julianday(0)",
        "length(b)",
        "ln(a)", "log(a)", "log10(a)", "log2(a)", "lower(b)", "ltrim(b)", "max(a, 1)", "min(a, 1)",
        "mod(a, 2)", "nullif(a, 7)", "pi()", "pow(a, 2)", "power(a, 2)", "radians(a)", "round(a)",
        "rtrim(b)", "sign(a)", "sin(a)", "sqrt(a)", "strftime('%Y', 0)", "substr(b, 1)",
        "substring(b, 1)", "sum(a)", "tan(a)", "time(0)", "total(a)", "trim(b)", "trunc(a)",
        "typeof(a)", "unicode(b)", "unixepoch(0)", "upper(b)", "'[1]' -> 0", "'[1]' ->> 0",
        "row_number() OVER ()", "rank() OVER (ORDER BY a)", "dense_rank() OVER (ORDER BY a)",
        "first_value(a) OVER ()", "last_value(a) OVER ()", "lag(a, 0) OVER ()",
        "lead(a, 0) OVER ()",
    ]
    private static let costly = [
        "zeroblob(1)", "randomblob(1)", "printf('%d', 1)", "format('%d', 1)",
        "replace(b, 'x', 'y')",
        "group_concat(b)", "quote(b)", "char(65)", "random()", "like('x', b)", "glob('x', b)",
        "json('[1]')", "json_group_array(a)", "sqlite_version()",
        "changes()", "last_insert_rowid()", "soundex(b)", "likely(a)",
    ]

    private static func withFile(_ body: (String, borrowing Database) throws -> Void) throws {
        let path = "/tmp/covey-actions-\(UUID().uuidString).db"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let database = try Database(path: path, mode: .readWriteCreate)
        try database.execute("CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x')")
        try body(path, database)
    }

    @Test func `each function that a view may call is answered, all others are refused`() throws {
        try Self.withFile { path, own in
            // What this build of SQLite has not is no question.
            let known = (Self.harmless + Self.costly).filter {
                (try? own.prepare("SELECT \($0) FROM t").sql) != nil
            }
            #expect(known.count > 60)
            try own.execute(
                known.enumerated().reduce("BEGIN") {
                    $0 + "; CREATE VIEW v\($1.offset) AS SELECT \($1.element) AS r FROM t"
                } + "; COMMIT")
            let foreign = try Database(foreign: path)
            for (number, call) in known.enumerated() {
                let answer = Result { try foreign.text("SELECT r FROM v\(number)") }
                // Some versions of SQLite let no view call these.
                if case .failure(let error as SQLiteError) = answer,
                    error.fault.message.hasPrefix("unsafe use of")
                {
                    continue
                }
                guard Self.costly.contains(call) else {
                    #expect(try answer.get() != nil, "\(call)")
                    continue
                }
                let error = #expect(throws: SQLiteError.self, "\(call)") { _ = try answer.get() }
                let name = call.prefix { $0 != "(" }
                #expect(
                    error?.fault.message
                        == "the view v\(number) calls the function \(name), which is not allowed")
                // Our own SQL may call it.
                #expect(throws: Never.self) { _ = try foreign.prepare("SELECT \(call) FROM t") }
            }
        }
    }

    /// A statement, and what is said of it; nil where it is answered.
    private static let statements: [(String, String?)] = [
        ("SELECT a FROM t", nil), ("PRAGMA page_count", nil), ("EXPLAIN SELECT 1", nil),
        ("BEGIN", nil), ("COMMIT", nil), ("SELECT name FROM sqlite_master", nil),
        ("SELECT name FROM pragma_table_info('t')", nil),
        (
            "SELECT load_extension('x')",
            "it calls the function load_extension, which is not allowed"
        ),
        ("SELECT value FROM json_each('[1]')", nil),
        ("DELETE FROM t", "it does more than read"),
        ("UPDATE t SET a = 1", "it does more than read"),
        ("INSERT INTO t VALUES (1, 2)", "it does more than read"),
        ("DROP TABLE t", "it does more than read"),
        ("CREATE TEMP VIEW x AS SELECT 1", "it does more than read"),
        ("CREATE TEMP TABLE x (a)", "it does more than read"),
        ("ANALYZE", "it does more than read"), ("ATTACH ':memory:' AS m", "it does more than read"),
        ("SELECT a FROM c", "the view n is recursive, which is not allowed"),
        ("SELECT a FROM r", "it does more than read"),
        ("SELECT g FROM g", "it reads the column g of g, which is computed when it is read"),
        ("SELECT s FROM g", nil),
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 1",
            "the view n is recursive, which is not allowed"
        ),
    ]

    private func judge(
        _ foreign: borrowing Database, _ statements: [(String, String?)] = Self.statements
    ) {
        for (sql, refusal) in statements {
            do throws(SQLiteError) {
                var statement = try foreign.prepare(sql)
                _ = try statement.step()
                #expect(refusal == nil, "\(sql)")
            } catch {
                #expect(error.fault.message == refusal, "\(sql)")
                #expect(error.fault.kind == .refused, "\(sql)")
            }
        }
    }

    @Test func `a user's query is one statement, and nothing follows it`() throws {
        for (tail, isOne) in [
            ("", true), (";", true), ("; \n", true), (" -- all", true), ("; SELECT 2", false),
            ("; garbage", false),
        ] {
            try Self.withFile { path, _ in
                let foreign = try Database(foreign: path)
                var isRefused = false
                do {
                    try foreign.createQuery(named: "mine", as: "SELECT a FROM t\(tail)")
                } catch {
                    isRefused = "\(error)".contains("something follows the statement")
                }
                #expect(isRefused != isOne, "\(tail)")
            }
        }
    }

    @Test func `each action is judged by who takes it`() throws {
        try Self.withFile { path, own in
            try own.execute(
                """
                CREATE VIEW c AS WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n) SELECT a FROM n;
                CREATE VIRTUAL TABLE r USING rtree(id, a, z);
                CREATE TABLE g (a, g AS (a + 1), s AS (a + 2) STORED);
                """)
            let foreign = try Database(foreign: path)
            judge(foreign)
            // What was refused before is not said of what fails for another reason.
            let error = #expect(throws: SQLiteError.self) { try foreign.execute("SELEC") }
            #expect(error?.fault.message == "near \"SELEC\": syntax error")
            try foreign.createQuery(named: "mine", as: "SELECT a + 41 AS a FROM t")
            #expect(try foreign.integer("SELECT a FROM mine") == 42)
            // A query may recurse, and lets nothing else do more than read.
            let others = Self.statements.filter {
                !$0.0.contains("RECURSIVE") && !$0.0.hasSuffix("c")
            }
            judge(foreign, others)
            #expect(throws: SQLiteError.self) {
                try foreign.createQuery(named: "bad", as: "SELECT no FROM t")
            }
        }
    }

    @Test func `what SQLite itself bounds is bounded to the number`() throws {
        #expect(ForeignLimits().valueBytes == 64 << 20 && ForeignLimits().temporaryBytes == 1 << 30)
        #expect(ForeignLimits().secondsWithoutRow == 60 && !ForeignLimits().isCancelled())
        try Self.withFile { path, _ in
            var limits = ForeignLimits()
            limits.valueBytes = 1_000
            let foreign = try Database(foreign: path, limits: limits)
            func isTaken(_ sql: String) -> Bool { (try? foreign.prepare(sql).sql) != nil }
            func length(_ count: Int) -> String {
                "SELECT length(CAST(zeroblob(\(count)) AS TEXT))"
            }
            #expect(try foreign.integer("SELECT length(zeroblob(1000))") == 1_000)
            let error = #expect(throws: SQLiteError.self) {
                _ = try foreign.text("SELECT hex(zeroblob(501))")
            }
            #expect(error?.fault.kind == .tooBig)
            let union = { (count: Int) in
                Array(repeating: "SELECT 1", count: count).joined(separator: " UNION ALL ")
            }
            #expect(isTaken(union(50)) && !isTaken(union(51)))
            let sum = { (depth: Int) in
                "SELECT " + Array(repeating: "a", count: depth).joined(separator: "+") + " FROM t"
            }
            #expect(isTaken(sum(199)) && !isTaken(sum(201)))
            let usual = try Database(foreign: path)
            let comment = String(repeating: "x", count: (1 << 20) - 12)
            #expect(throws: Never.self) { try usual.execute("SELECT 1 --\(comment)") }
            #expect(throws: SQLiteError.self) { try usual.execute("SELECT 1 --xxxx\(comment)") }
            let like = { (count: Int) in "SELECT 'x' LIKE '\(String(repeating: "x", count: count))'"
            }
            #expect(try foreign.integer(like(100)) == 0)
            #expect(throws: SQLiteError.self) { _ = try foreign.integer(like(101)) }
            #expect(
                try foreign.integer("PRAGMA temp_store") == 1
                    && foreign.integer("PRAGMA cell_size_check") == 1)
            #expect(try foreign.integer("PRAGMA mmap_size") ?? 0 == 0)
            #expect(try foreign.integer("PRAGMA foreign_keys") == 0)
        }
    }
}
