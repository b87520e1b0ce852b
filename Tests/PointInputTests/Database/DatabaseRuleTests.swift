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
}
