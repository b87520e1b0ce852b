import Geometry
import SQLite
import Testing
import TileArchive

/// Archives whose views never come to an end.
struct HostileViewTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.file("hostile.mbtiles") }

    private static let endless = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)"

    private var endlessWork: ArchiveError {
        .corrupt(path: path, reason: "its views or missing indexes make endless work")
    }

    private func make(_ sql: String) throws {
        try Database(path: path, mode: .readWriteCreate).execute(sql)
    }

    @Test func `looking up and scanning come to an end in a view without one`() throws {
        try make(
            """
            CREATE VIEW tiles AS \(Self.endless) SELECT -1 - i AS zoom_level, i + 0 AS tile_column,
                0 AS tile_row, x'00' AS tile_data FROM n;
            """)
        let archive = try Archive(path: path)
        var reader = try archive.openTiles()
        #expect(throws: endlessWork) { try reader.tile(at: TileID(z: 0, x: 0, y: 0)) }
        var scan = try archive.scan()
        #expect(throws: endlessWork) { try scan.next() }
    }

    @Test func `metadata without end is cut`() throws {
        try make(
            """
            CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
            CREATE VIEW metadata AS \(Self.endless) SELECT 'name' AS name, i AS value FROM n;
            """)
        #expect(try Archive(path: path).metadata.name == "0")
    }
}
