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
            for (column, value) in row.enumerated() { expect(value, at: column, of: read) }
        }
        #expect(try !read.step())
        #expect(try database.integer("SELECT count(*) FROM t") == 300)
        #expect(try database.integer("SELECT a FROM t WHERE 0") == nil)
        #expect(try database.text("SELECT NULL") == nil && database.text("SELECT 1 WHERE 0") == nil)
        try database.execute("UPDATE t SET a = 1 WHERE rowid <= 17; SELECT 1")
        #expect(database.changes == 17)
    }

    private func expect(_ value: Value, at column: Int, of read: borrowing Statement) {
        #expect(read.kind(at: column) == value.kind)
        if value.kind != .double { #expect(read.text(at: column) == Self.text(value)) }
        switch value {
        case .integer(let value): #expect(read.integer(at: column) == value)
        case .double(let value): #expect(read.double(at: column) == value)
        case .text(let value):
            #expect(read.text(at: column) == value)
            #expect(read.byteCount(at: column) == value.utf8.count)
        case .blob(let value):
            #expect(Array(copying: read.blob(at: column)) == value)
            #expect(read.byteCount(at: column) == value.count)
        case .null:
            #expect(read.byteCount(at: column) == 0 && read.integer(at: column) == 0)
        }
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
                .execute(
                    "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA user_version = \(number + 1)"
                )
            let found = try Database(path: "/\(path)", mode: .immutable).integer(
                "PRAGMA user_version")
            #expect(found == Int64(number + 1), "\(sign)")
            #expect(FileManager.default.fileExists(atPath: path), "\(sign)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == signs.count)
    }
}
