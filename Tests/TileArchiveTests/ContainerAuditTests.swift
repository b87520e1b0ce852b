import SQLite
import Testing
import TileArchive

struct ContainerAuditTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.file("a.mbtiles") }

    private func change(_ sql: String) throws {
        try Database(path: path, mode: .readWriteCreate).execute(sql)
    }

    @Test func `an archive of ours is sound, and another format's id is told`() throws {
        let sample = SampleTiles(count: 20, seed: 4)
        try sample.write(sample.sorted, to: path)
        func foreignID() throws -> Int64? { try Archive(path: path).audit().foreignApplicationID }
        let audit = try Archive(path: path).audit()
        #expect(audit.damage.isEmpty && audit.strayCount == 0 && audit.strayKeys.isEmpty)
        #expect(try foreignID() == nil)
        try change("PRAGMA application_id = 0")
        #expect(try foreignID() == nil)
        try change("PRAGMA application_id = 305419896")
        #expect(try foreignID() == 305_419_896)
    }

    @Test func `rows that name no tile are all counted, and the first of them told`() throws {
        let sample = SampleTiles(count: 20, seed: 4)
        try sample.write(sample.sorted, to: path)
        for row in 0..<25 {
            try change("INSERT INTO tiles VALUES (2, 4, \(row), x'00')")
        }
        try change(
            "INSERT INTO tiles VALUES ('x', 0, 0, x'00'), (0, 0, 1, x'00'), (32, 0, 0, x'00')")
        let audit = try Archive(path: path).audit()
        #expect(audit.strayCount == 28 && audit.strayKeys.count == 20)
        #expect(Set(audit.strayKeys).count == 20)
    }
}
