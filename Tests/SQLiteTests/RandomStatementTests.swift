import CSQLite
import Foundation
import SQLite
import TestSupport
import Testing

/// Random values, failures of each kind, and what views of each kind may do.
struct RandomStatementTests {
    private enum Value: Equatable {
        case integer(Int64), double(Double), text(String), blob([UInt8]), null

        static func drawn(by random: inout SeededRandom) -> Value {
            let number = random.next()
            let count = Int(random.next() % 5)
            return switch random.next() % 5 {
            case 0: .integer(Int64(bitPattern: number) >> Int64(number % 64))
            case 1: .double(Double(bitPattern: number % 0x7FF0_0000_0000_0000))
            case 2: .text(String("é\u{0}z☃\u{1F600}".prefix(count)))
            case 3: .blob((0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) })
            default: .null
            }
        }

        var kind: Statement.Kind {
            switch self {
            case .integer: .integer
            case .double: .double
            case .text: .text
            case .blob: .blob
            case .null: .null
            }
        }
    }

    /// Rows of several kinds, of one statement that is run again and again, where some parameters
    /// stay bound from the row before.
    @Test func `what was bound is read back, and stays bound`() throws {
        var random = SeededRandom(seed: 1)
        let database = try Database()
        try database.execute("CREATE TABLE t (a, b, c)")
        var insert = try database.prepare("INSERT INTO t VALUES (?, ?, ?)")
        var (row, rows) = ([Value](repeating: .null, count: 3), [[Value]]())
        for _ in 0..<300 {
            for column in 0..<3 where random.next() % 3 > 0 {
                row[column] = .drawn(by: &random)
                switch row[column] {
                case .integer(let value): try insert.bind(value, at: column + 1)
                case .double(let value): try insert.bind(value, at: column + 1)
                case .text(let value): try insert.bind(value, at: column + 1)
                case .blob(let value): try insert.bind(value.span, at: column + 1)
                case .null: try insert.bindNull(at: column + 1)
                }
            }
            try insert.run()
            #expect(database.changes == 1)
            rows.append(row)
        }
        var read = try database.prepare("SELECT * FROM t ORDER BY rowid")
        for row in rows {
            #expect(try read.step() && read.columnCount == 3)
            for (column, value) in row.enumerated() {
                #expect(
                    read.kind(at: column) == value.kind && read.text(at: column) == Self.text(value)
                        || value.kind == .double)
                switch value {
                case .integer(let value): #expect(read.integer(at: column) == value)
                case .double(let value): #expect(read.double(at: column) == value)
                case .text(let value):
                    #expect(
                        read.text(at: column) == value
                            && read.byteCount(at: column) == value.utf8.count)
                case .blob(let value):
                    #expect(
                        Array(copying: read.blob(at: column)) == value
                            && read.byteCount(at: column) == value.count)
                case .null:
                    #expect(read.byteCount(at: column) == 0 && read.integer(at: column) == 0)
                }
            }
        }
        #expect(try !read.step())
        #expect(try database.integer("SELECT count(*) FROM t") == 300)
        #expect(try database.integer("SELECT a FROM t WHERE 0") == nil)
        #expect(try database.text("SELECT NULL") == nil && database.text("SELECT 1 WHERE 0") == nil)
        try database.execute("UPDATE t SET a = 1 WHERE rowid <= 17; SELECT 1")
        #expect(database.changes == 17)
    }

    private static func text(_ value: Value) -> String? {
        switch value {
        case .integer(let value): "\(value)"
        case .text(let value): value
        case .blob(let value): String(decoding: value, as: UTF8.self)
        default: nil
        }
    }

    /// Random pieces, of which some are empty, at random parameters.
    @Test func `pieces of bytes go each to its parameter`() throws {
        var random = SeededRandom(seed: 2)
        let database = try Database()
        for _ in 0..<50 {
            let bytes = (0..<Int(random.next() % 40)).map { _ in
                UInt8(truncatingIfNeeded: random.next())
            }
            let count = 1 + Int(random.next() % 4)
            let first = 1 + Int(random.next() % 3)
            let ends = (0..<count).map { _ in Int(random.next() % UInt64(bytes.count + 1)) }
                .sorted()
            try database.execute("DROP TABLE IF EXISTS t; CREATE TABLE t (a, b, c, d, e, f)")
            var insert = try database.prepare("INSERT INTO t VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
            try insert.run(binding: bytes.span, cutAt: ends, from: first)
            var row = try database.prepare("SELECT * FROM t")
            #expect(try row.step())
            for column in 0..<6 {
                let piece = column + 1 - first
                guard (0..<count).contains(piece) else {
                    #expect(row.kind(at: column) == .null)
                    continue
                }
                let wanted = bytes[(piece == 0 ? 0 : ends[piece - 1])..<ends[piece]]
                #expect(Array(copying: row.blob(at: column)) == Array(wanted))
                #expect(row.kind(at: column) == .blob)
            }
        }
    }

    @Test func `each code of SQLite's is of the kind that callers tell apart`() {
        let kinds: [Int32: SQLiteFault.Kind] = [
            SQLITE_BUSY: .busy, SQLITE_LOCKED: .busy, SQLITE_NOMEM: .outOfMemory,
            SQLITE_READONLY: .readOnly, SQLITE_INTERRUPT: .interrupted, SQLITE_IOERR: .inputOutput,
            SQLITE_CORRUPT: .corrupt, SQLITE_FULL: .full, SQLITE_CANTOPEN: .cannotOpen,
            SQLITE_TOOBIG: .tooBig, SQLITE_CONSTRAINT: .constraint, SQLITE_AUTH: .refused,
            SQLITE_NOTADB: .notADatabase,
        ]
        for code in 0..<Int32(32) {
            let kind = kinds[code] ?? .other
            #expect(SQLiteFault(code: code, message: "").kind == kind)
            #expect(SQLiteFault(code: code | 3 << 8, message: "").kind == kind)
        }
        #expect(SQLiteFault(code: SQLITE_INTERRUPT | 255 << 8, message: "").kind == .cancelled)
    }

    @Test func `a path is the same file whatever it is called`() throws {
        let folder = "/tmp/covey-sqlite-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Each byte that a name may have, and some letters of several.
        let signs =
            (1..<128).filter { $0 != 47 }.map { String(UnicodeScalar(UInt8($0))) } + [
                "é", "☃", "%2F",
            ]
        for (number, sign) in signs.enumerated() {
            let path = "\(folder)/\(sign)x"
            try Database(path: path, mode: .readWriteCreate)
                .execute("PRAGMA user_version = \(number + 1)")
            let found = try Database(path: path, mode: .immutable).integer("PRAGMA user_version")
            #expect(found == Int64(number + 1), "\(sign)")
            #expect(FileManager.default.fileExists(atPath: path), "\(sign)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == signs.count)
    }
}

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
            for (number, call) in known.enumerated() {
                try own.execute("CREATE VIEW v\(number) AS SELECT \(call) AS r FROM t")
            }
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
                        == "the view v\(number) calls the function \(name), which a file may not")
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
            "it calls the function load_extension, which a file may not"
        ),
        ("SELECT value FROM json_each('[1]')", nil),
        ("DELETE FROM t", "it does more than read"),
        ("UPDATE t SET a = 1", "it does more than read"),
        ("INSERT INTO t VALUES (1, 2)", "it does more than read"),
        ("DROP TABLE t", "it does more than read"),
        ("CREATE TEMP VIEW x AS SELECT 1", "it does more than read"),
        ("CREATE TEMP TABLE x (a)", "it does more than read"),
        ("ANALYZE", "it does more than read"), ("ATTACH ':memory:' AS m", "it does more than read"),
        ("SELECT a FROM c", "the view n is recursive, which a file may not be"),
        ("SELECT a FROM r", "it does more than read"),
        ("SELECT g FROM g", "it reads the column g of g, which is computed when it is read"),
        ("SELECT s FROM g", nil),
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 1",
            "the view n is recursive, which a file may not be"
        ),
    ]

    @Test func `each action is judged by who takes it`() throws {
        try Self.withFile { path, own in
            try own.execute(
                """
                CREATE VIEW c AS WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n) SELECT a FROM n;
                CREATE VIRTUAL TABLE r USING rtree(id, a, z);
                CREATE TABLE g (a, g AS (a + 1), s AS (a + 2) STORED);
                """)
            let foreign = try Database(foreign: path)
            for (sql, refusal) in Self.statements {
                do {
                    var statement = try foreign.prepare(sql)
                    _ = try statement.step()
                    #expect(refusal == nil, "\(sql)")
                } catch let error as SQLiteError {
                    #expect(error.fault.message == refusal, "\(sql)")
                    #expect(error.fault.kind == .refused, "\(sql)")
                }
            }
            // What was refused before is not said of what fails for another reason.
            let error = #expect(throws: SQLiteError.self) { try foreign.execute("SELEC") }
            #expect(error?.fault.message == "near \"SELEC\": syntax error")
            try foreign.createQuery(named: "mine", as: "SELECT a + 41 AS a FROM t")
            #expect(try foreign.integer("SELECT a FROM mine") == 42)
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
