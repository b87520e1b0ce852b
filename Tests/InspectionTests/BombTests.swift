import Compression
import Conversion
import Foundation
import Geometry
import Inspection
import SQLite
import Testing
import TileArchive

/// Small archives whose tiles are large once they are inflated.
struct BombTests {
    let path =
        FileManager.default.temporaryDirectory.path + "/covey-bomb-\(UUID().uuidString).mbtiles"

    /// An archive of so many tiles at zoom 4, each of so many bytes, which are stored once.
    private func write(tiles: Int, bytes: Int) throws {
        var gzip = GzipCompressor(level: 9)
        // A layer whose name goes on and on.
        let length = bytes - 20
        var tile: [UInt8] =
            [0x1A] + Self.varint(length + 8) + [0x78, 2, 0x0A] + Self.varint(length)
        tile += [UInt8](repeating: 0x61, count: length)
        let packed = gzip.compress(tile.span)
        let database = try Database(path: path, mode: .readWriteCreate)
        try database.execute(
            """
            CREATE TABLE metadata (name text, value text);
            CREATE TABLE places (tile_column integer, tile_row integer);
            CREATE TABLE bytes (tile_data blob);
            CREATE VIEW tiles AS SELECT 4 AS zoom_level, tile_column, tile_row, tile_data
                FROM places, bytes;
            INSERT INTO metadata VALUES ('format', 'pbf'), ('name', 'a'), ('minzoom', '4'),
                ('maxzoom', '4'), ('json', '{"vector_layers":[]}');
            """)
        var blob = try database.prepare("INSERT INTO bytes VALUES (?1)")
        try blob.run(binding: packed.span, at: 1)
        var row = try database.prepare("INSERT INTO places VALUES (?1, ?2)")
        for number in 0..<tiles {
            try row.bind(Int64(number / 16), at: 1)
            try row.bind(Int64(number % 16), at: 2)
            try row.run()
        }
    }

    private static func varint(_ number: Int) -> [UInt8] {
        var (rest, bytes) = (number, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    @Test func `tiles that a folder would hold unpacked are bounded, too`() throws {
        let folder = path + ".folder"
        defer { for name in [path, folder] { try? FileManager.default.removeItem(atPath: name) } }
        try write(tiles: 90, bytes: 1 << 20)
        #expect(throws: ArchiveError.self) {
            try ArchiveConversion(Archive(path: path), to: folder, in: TileFolder.self).run()
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test(arguments: [1, 3])
    func `tiles that come to far more than their file are not all gone through`(threads: Int) throws
    {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write(tiles: 90, bytes: 1 << 20)
        let archive = try Archive(path: path)
        #expect(throws: ArchiveError.self) { try Survey(of: archive, threads: threads) }
        let findings = try Verification(of: archive, threads: threads).findings.all
        let found = findings.filter { $0.code == "integrity" }.flatMap(\.locations)
        #expect(found.contains { $0.contains("only hold repeated") })
    }

    @Test func `as many as a file can stand for are`() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write(tiles: 38, bytes: 1 << 20)
        let survey = try Survey(of: Archive(path: path), threads: 2)
        #expect(survey.tiles == 38)
    }
}
