import Foundation
import SQLite
import Testing

struct DatabaseTests {
    @Test func `any path opens, and is read back read-only`() throws {
        try inTemporaryDirectory { directory in
            for name in ["plain.db", "a b?c=1#d%20é.db", "?mode=memory"] {
                let path = "\(directory)/\(name)"
                do {
                    let database = try Database(path: path, mode: .readWriteCreate)
                    try database.execute("CREATE TABLE t AS SELECT 'here' AS a")
                }
                #expect(FileManager.default.fileExists(atPath: path))
                for mode in [Database.Mode.readOnly, .immutable] {
                    let database = try Database(path: path, mode: mode)
                    #expect(try database.text("SELECT a FROM t") == "here")
                    let error = #expect(throws: SQLiteError.self) {
                        try database.execute("DELETE FROM t")
                    }
                    #expect(error?.fault.kind == .readOnly)
                }
            }
        }
    }

    @Test func `who writes may leave the journal out, as builds do`() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/plain.db"
            do {
                let database = try Database(path: path, mode: .readWriteCreate)
                try database.execute("CREATE TABLE t AS SELECT 'here' AS a")
                #expect(try database.text("PRAGMA journal_mode = OFF") == "off")
            }
            // SQLite refuses it to those who only read: theirs are files of others.
            let reader = try Database(path: path, mode: .readOnly)
            #expect(try reader.text("PRAGMA journal_mode = OFF") == "delete")
        }
    }

    @Test func `what is missing or no database says so`() throws {
        try inTemporaryDirectory { directory in
            let missing = #expect(throws: SQLiteError.self) {
                _ = try Database(path: "\(directory)/none", mode: .readOnly)
            }
            #expect(missing?.fault.kind == .cannotOpen)
            #expect(missing?.description.hasPrefix("\(directory)/none: ") == true)
            let path = "\(directory)/text"
            try Data(repeating: 65, count: 5_000).write(to: URL(filePath: path))
            let database = try Database(path: path, mode: .readOnly)
            let garbage = #expect(throws: SQLiteError.self) {
                _ = try database.integer("SELECT count(*) FROM sqlite_master")
            }
            #expect(garbage?.fault.kind == .notADatabase)
        }
    }

    @Test func `a lock held elsewhere is busy`() throws {
        try inTemporaryDirectory { directory in
            let path = "\(directory)/locked.db"
            let writer = try Database(path: path, mode: .readWriteCreate)
            try writer.execute("CREATE TABLE t (a); BEGIN EXCLUSIVE")
            let reader = try Database(path: path, mode: .readOnly)
            reader.setBusyTimeout(milliseconds: 20)
            let error = #expect(throws: SQLiteError.self) {
                _ = try reader.integer("SELECT count(*) FROM t")
            }
            #expect(error?.fault.kind == .busy)
        }
    }

    private func inTemporaryDirectory(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "covey-sqlite-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory.path)
    }
}
