import Foundation
import Geometry
import SQLite
import Testing
import TileArchive

/// Archives as other programs lay them out, and files that are none.
struct ForeignArchiveTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.file("foreign.mbtiles") }

    static let index = "CREATE UNIQUE INDEX i ON tiles (zoom_level, tile_column, tile_row);"
    static let flat =
        "CREATE TABLE tiles (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB);"
    static let rows = "INSERT INTO tiles VALUES (0, 0, 0, 'world'), (1, 0, 1, 'west');"
    static let metadata = """
        CREATE TABLE metadata (name TEXT, value TEXT);
        INSERT INTO metadata VALUES ('name', 'n'), ('format', 'pbf'), ('json', '{}');
        """

    private func make(_ sql: String) throws {
        try Database(path: path, mode: .readWriteCreate).execute(sql)
    }

    private func expectTwoTiles() throws {
        let archive = try Archive(path: path)
        var reader = try archive.openTiles()
        #expect(try reader.tile(at: TileID(z: 0, x: 0, y: 0)) == Array("world".utf8))
        #expect(try reader.tile(at: TileID(z: 1, x: 0, y: 0)) == Array("west".utf8))
        #expect(try reader.tile(at: TileID(z: 1, x: 1, y: 0)) == nil)
        var scan = try archive.scan(zooms: 1...1)
        #expect(try scan.next() == TileID(z: 1, x: 0, y: 0))
        #expect(try scan.next() == nil)
        #expect(try archive.zooms() == 0...1)
    }

    @Test func `a flat table without an index is read, with a warning`() throws {
        try make(Self.flat + Self.rows + Self.metadata)
        try expectTwoTiles()
        #expect(try Archive(path: path).warnings == [.noIndex])
        try make(Self.index)
        #expect(try Archive(path: path).warnings == [])
    }

    @Test func `a table without row ids is read`() throws {
        try make(
            """
            CREATE TABLE tiles (
                zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB,
                PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
            """ + Self.rows + Self.metadata)
        try expectTwoTiles()
        let archive = try Archive(path: path)
        #expect(archive.layout == .tableWithoutRowID && archive.warnings == [])
    }

    @Test func `tippecanoe's view over map and images is read`() throws {
        try make(
            """
            CREATE TABLE map (zoom_level INT, tile_column INT, tile_row INT, tile_id TEXT);
            CREATE TABLE images (tile_data BLOB, tile_id TEXT);
            CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level,
                map.tile_column AS tile_column, map.tile_row AS tile_row,
                images.tile_data AS tile_data
                FROM map JOIN images ON images.tile_id = map.tile_id;
            CREATE UNIQUE INDEX m ON map (zoom_level, tile_column, tile_row);
            CREATE UNIQUE INDEX i ON images (tile_id);
            INSERT INTO map VALUES (0, 0, 0, 'a'), (1, 0, 1, 'b');
            INSERT INTO images VALUES ('world', 'a'), ('west', 'b');
            """ + Self.metadata)
        try expectTwoTiles()
        let archive = try Archive(path: path)
        #expect(archive.layout == .view && archive.warnings == [])
    }

    @Test func `rows that name no tile are passed over`() throws {
        try make(
            Self.flat + Self.rows + Self.metadata + Self.index
                + """
                INSERT INTO tiles VALUES (1, 5, 0, 'x'), (-1, 0, 0, 'x'), (2, 0, -1, 'x'),
                    ('a', 'b', 'c', 'x'), (NULL, NULL, NULL, NULL);
                """)
        var scan = try Archive(path: path).scan()
        var tiles = 0
        while try scan.next() != nil { tiles += 1 }
        #expect(tiles == 2)
    }

    @Test func `metadata that is missing or senseless is a warning`() throws {
        try make(
            Self.flat + Self.rows + Self.index
                + """
                CREATE TABLE metadata (name TEXT, value TEXT);
                INSERT INTO metadata VALUES ('name', 'n'), ('name', 'm'), ('minzoom', 'low'),
                    ('maxzoom', '40'), ('bounds', '1,2,3'), ('center', '0,inf,3'),
                    ('json', '{"vector_layers": [{"id": 3}, {"id": "a", "fields": {"f": 1}}]}'),
                    ('scale', '2'), (NULL, 'x'), ('empty', NULL), ('type', x'FFFE');
                """)
        let archive = try Archive(path: path)
        #expect(archive.metadata.name == "n" && archive.metadata.others == ["scale": "2"])
        #expect(archive.metadata.vectorLayers == [VectorLayer(id: "a", fields: [])])
        #expect(
            Set(archive.warnings) == [
                .repeated(row: "name"), .missing(row: "format"),
                .garbled(row: "minzoom", value: "low"), .garbled(row: "maxzoom", value: "40"),
                .garbled(row: "bounds", value: "1,2,3"), .garbled(row: "center", value: "0,inf,3"),
                .garbled(row: "json", value: #"{"id":3}"#),
            ])
    }

    /// GDAL writes such a row; in a folder, or a PMTiles archive, it would be false.
    @Test func `how a container counts rows is not said of the archive`() throws {
        try make(
            Self.flat + Self.rows + Self.metadata + Self.index
                + "INSERT INTO metadata VALUES ('scheme', 'tms');")
        let archive = try Archive(path: path)
        #expect(archive.metadata.others.isEmpty && archive.warnings.isEmpty)
    }

    @Test(arguments: ["", "CREATE TABLE metadata (title);", "CREATE VIEW metadata AS SELECT 1;"])
    func `an archive without a metadata table is read, with a warning`(sql: String) throws {
        try make(Self.flat + Self.rows + Self.index + sql)
        try expectTwoTiles()
        #expect(try Archive(path: path).warnings == [.noMetadata])
    }

    @Test(arguments: [
        ("CREATE TABLE other (a);", "it has no table 'tiles'"),
        ("CREATE TABLE tiles (z, x, y, data);", "no such column: tile_data"),
        ("CREATE VIEW tiles AS SELECT * FROM gone;", "no such table: main.gone"),
    ])
    func `a wrong schema is refused in a sentence`(sql: String, reason: String) throws {
        try make(sql)
        #expect(throws: ArchiveError.wrongSchema(path: path, reason: reason)) {
            try Archive(path: path)
        }
    }
}
