import Geometry
import SQLite
import Testing
import TileArchive

/// Archives whose views never come to an end.
struct HostileViewTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.file("hostile.mbtiles") }

    private func make(_ sql: String) throws {
        try Database(path: path, mode: .readWriteCreate).execute(sql)
    }

    /// What a schema of a stranger may not do, each a way to work without end.
    @Test(arguments: [
        """
        CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)
            SELECT i AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'00' AS tile_data FROM n
        """,
        """
        CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row,
            hex(randomblob(500000000)) AS tile_data
        """,
        """
        CREATE TABLE tiles (zoom_level, tile_column, tile_row,
            tile_data AS (hex(zeroblob(tile_column + 5000000))));
        INSERT INTO tiles VALUES (0, 0, 0)
        """,
    ])
    func `tiles that a schema computes at any cost are refused`(sql: String) throws {
        try make(sql)
        let error = #expect(throws: ArchiveError.self) {
            var tiles = try Archive(path: path).openTiles()
            _ = try tiles.tile(at: TileID(z: 0, x: 0, y: 0))
        }
        guard case .refused = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a value of more bytes than any tile has is not read`() throws {
        try make(
            """
            CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
            CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
            INSERT INTO tiles VALUES (0, 0, 0, zeroblob(16777216 - 100)),
                (1, 0, 0, zeroblob(16777217));
            """)
        var scan = try Archive(path: path).scan()
        #expect(try scan.next() == TileID(z: 0, x: 0, y: 0) && scan.bytes.count == 16_777_116)
        let error = #expect(throws: ArchiveError.self) { try scan.next() }
        #expect("\(error!)".hasSuffix("more than 16 MiB, too much for a tile, and is not read"))
    }

    @Test func `a look-up is given up after some seconds without a row`() throws {
        try make(
            """
            CREATE TABLE n (i);
            INSERT INTO n VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
            CREATE VIEW tiles AS SELECT a.i - 1 AS zoom_level, 0 AS tile_column, 0 AS tile_row,
                x'00' AS tile_data FROM n a, n b, n c, n d, n e, n f, n g, n h, n j, n k, n l
                WHERE a.i + b.i + c.i + d.i + e.i + f.i + g.i + h.i + j.i + k.i + l.i > 99
            """)
        var tiles = try Archive(path: path).openTiles()
        let start = ContinuousClock.now
        #expect(
            throws: ArchiveError.corrupt(
                path: path, reason: "its views or missing indexes make reading too slow")
        ) { try tiles.tile(at: TileID(z: 0, x: 0, y: 0)) }
        // Who walks over all of it waits longer, and a minute is too long for any.
        #expect(ContinuousClock.now - start < .seconds(40))
    }

    @Test func `the usual view over shared tiles is read`() throws {
        try make(
            """
            CREATE TABLE map (zoom_level, tile_column, tile_row, tile_id);
            CREATE TABLE images (tile_id, tile_data);
            CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
                map.tile_row AS tile_row, images.tile_data AS tile_data
                FROM map JOIN images ON images.tile_id = map.tile_id;
            INSERT INTO map VALUES (0, 0, 0, 'a'); INSERT INTO images VALUES ('a', x'0102')
            """)
        let archive = try Archive(path: path)
        var tiles = try archive.openTiles()
        #expect(try tiles.tile(at: TileID(z: 0, x: 0, y: 0)) == [1, 2])
        var scan = try archive.scan()
        #expect(try scan.next() == TileID(z: 0, x: 0, y: 0) && scan.next() == nil)
        #expect(try archive.zooms() == 0...0)
        #expect(try archive.audit().strayCount == 0)
    }

    /// Allowed by all that is looked at: only time tells.
    @Test func `a view of a small file that gives no row ends within seconds`() throws {
        try make(
            """
            CREATE TABLE t (n); INSERT INTO t VALUES (1); INSERT INTO t SELECT 2 FROM t;
            \((0..<9).map { _ in "INSERT INTO t SELECT n FROM t;" }.joined())
            CREATE VIEW tiles AS SELECT a.n AS zoom_level, b.n AS tile_column, c.n AS tile_row,
                x'00' AS tile_data FROM t a, t b, t c, t d, t e WHERE a.n + b.n + c.n + d.n + e.n < 0
            """)
        let archive = try Archive(path: path)
        let reason = "its views or missing indexes make reading too slow"
        let start = ContinuousClock.now
        #expect(throws: ArchiveError.corrupt(path: path, reason: reason)) {
            var scan = try archive.scan()
            _ = try scan.next()
        }
        #expect(ContinuousClock.now - start < .seconds(8))
    }

    @Test func `metadata has ceilings for rows, for one row and for all`() throws {
        try make(
            """
            CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
            CREATE TABLE metadata (name TEXT, value TEXT);
            INSERT INTO metadata VALUES ('name', 'small'), ('json', '{"a": "'
                || hex(zeroblob(1048576 - 10)) || '"}'), ('description', hex(zeroblob(1048576)));
            """)
        let archive = try Archive(path: path)
        #expect(archive.metadata.name == "small" && archive.metadata.description == nil)
        let long = 11 + 2 * 1_048_576
        #expect(archive.warnings.contains(.tooLong(row: "description", bytes: long)))
        #expect(!archive.warnings.contains { "\($0)".contains("'json' has") })
        try make(
            "INSERT INTO metadata SELECT 'more' || rowid, value FROM metadata WHERE name = 'json'")
        try make("INSERT INTO metadata SELECT 'last', value FROM metadata WHERE name = 'json'")
        #expect(try Archive(path: path).warnings.contains { "\($0)".contains("'last' has") })
        try make(
            """
            DELETE FROM metadata; INSERT INTO metadata VALUES ('name', '0'), ('name', '1');
            ALTER TABLE metadata RENAME TO rows;
            CREATE VIEW metadata AS SELECT a.name, b.value FROM rows a, rows b, rows c, rows d, rows e,
                rows f, rows g, rows h, rows i, rows j, rows k, rows l, rows m, rows n, rows o, rows p;
            """)
        #expect(try Archive(path: path).warnings.count < 10_100)
    }
}
