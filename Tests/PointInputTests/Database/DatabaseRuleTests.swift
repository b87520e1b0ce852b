import Foundation
import PointInput
import Points
import SQLite
import TestSupport
import Testing

/// What databases may be besides plain: other encodings, keys, cut files, systems by their text.
struct DatabaseRuleTests {
    @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func `texts are the same in every encoding of a database`(encoding: String) throws {
        let (points, _) = try DatabaseReaderTests.read([
            "PRAGMA encoding = '\(encoding)'", "CREATE TABLE t (lon, lat, name TEXT)",
            "INSERT INTO t VALUES (1, 2, 'Zürich 🗺'), (3, 4, ''), (5, 6, 'a' || char(0) || 'b')",
        ])
        #expect(
            points.map { $0.attributes["name"] }
                == [.text("Zürich 🗺"), .text(""), .text("a\0b")])
    }

    @Test func `a text that is not valid UTF-8 is told of`() throws {
        let statements = [
            "CREATE TABLE t (lon, lat, name TEXT)",
            "INSERT INTO t VALUES (1, 2, CAST(x'61ff62' AS TEXT)), (3, 4, 'b')",
        ]
        let error = #expect(throws: InputError.self) { try DatabaseReaderTests.read(statements) }
        #expect(error?.description.contains("row 1 has a text that is not valid UTF-8") == true)
        let (points, report) = try DatabaseReaderTests.read(statements) { $0.tolerance = .all }
        #expect(points == [ReadPoint(3, 4, ["name": .text("b")])])
        #expect(report.rejected == [.invalidUTF8: 1])
    }

    @Test func `the key is an id and an attribute, in a GeoPackage an id alone`() throws {
        let key = [
            "CREATE TABLE t (id INTEGER PRIMARY KEY, lon, lat)", "INSERT INTO t VALUES (7, 1, 2)",
        ]
        #expect(
            try DatabaseReaderTests.read(key).points == [
                ReadPoint(1, 2, id: 7, ["id": .integer(7)])
            ])
        let package = ["CREATE TABLE gpkg_contents (table_name)"]
        #expect(try DatabaseReaderTests.read(package + key).points == [ReadPoint(1, 2, id: 7, [:])])
        let negative = key + ["UPDATE t SET id = -7"]
        let (points, report) = try DatabaseReaderTests.read(negative)
        #expect(points == [ReadPoint(1, 2, ["id": .integer(-7)])])
        #expect(!report.notes.contains { $0.contains("has no id") })
        let composite = [
            "CREATE TABLE t (a INTEGER, b INTEGER, lon, lat, PRIMARY KEY (a, b))",
            "INSERT INTO t VALUES (7, 8, 1, 2)",
        ]
        for others in [[], package] {
            #expect(
                try DatabaseReaderTests.read(others + composite).points
                    == [ReadPoint(1, 2, ["a": .integer(7), "b": .integer(8)])])
        }
    }

    @Test func `a database that is cut within its last page is refused`() throws {
        let statements = [
            "CREATE TABLE t (lon, lat, name)", "INSERT INTO t VALUES (1, 2, 'a'), (3, 4, 'b')",
        ]
        try withFile(named: "a.sqlite") { path in
            do {
                let database = try Database(path: path, mode: .readWriteCreate)
                for statement in statements { try database.execute(statement) }
            }
            let whole = try Data(contentsOf: URL(filePath: path))
            #expect(try Samples.read(path: path).points.count == 2)
            try whole.dropLast().write(to: URL(filePath: path))
            let error = #expect(throws: InputError.self) { try Samples.read(path: path) }
            #expect(error?.description.contains("is cut off") == true, "\(error as Any)")
            // A length that another program did not keep up to date says nothing.
            var old = whole
            old.replaceSubrange(28..<32, with: [0, 0, 1, 0])
            old[95] ^= 1
            try old.write(to: URL(filePath: path))
            #expect(try Samples.read(path: path).points.count == 2)
        }
    }

    @Test(arguments: ["NULL, 2", "1, NULL", "'', 2", "1, ' '", "NULL, NULL"])
    func `a row with one coordinate only has no position`(values: String) throws {
        let (points, report) = try DatabaseReaderTests.read([
            "CREATE TABLE t (lon, lat)", "INSERT INTO t VALUES (1, 2), (\(values))",
        ])
        #expect(points.count == 1 && report.rejected == [.noLocation: 1])
    }
}
