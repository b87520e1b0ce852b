import Compression
import Foundation
import Geometry
import Inspection
import SQLite
import Testing
import TileArchive

/// What `diff` tells about two archives.
struct DifferenceTests {
    @Test func `an archive does not differ from itself`() throws {
        let file = try SampleFile()
        let difference = try ArchiveDifference(file.archive, file.archive)
        #expect(difference.isEmpty)
        #expect(difference.zooms.reduce(0) { $0 + $1.sameTiles } > 100)
    }

    @Test func `missing tiles and changed rows are told on their side`() throws {
        let a = try SampleFile()
        let b = try SampleFile()
        try b.change(
            """
            DELETE FROM tiles WHERE zoom_level = 0;
            UPDATE metadata SET value = 'Other' WHERE name = 'name';
            DELETE FROM metadata WHERE name = 'center'
            """)
        let difference = try ArchiveDifference(a.archive, b.archive)
        let zoom = try #require(difference.zooms.first)
        #expect(zoom.onlyInA == 1 && zoom.onlyInB == 0)
        #expect(zoom.featuresOnlyInA == a.sample.levels[0].count)
        #expect(zoom.first == TileID(z: 0, x: 0, y: 0))
        #expect(difference.rows.map(\.name) == ["center", "name"])
        #expect(difference.rows.map(\.b) == [nil, "Other"])
        let reverse = try ArchiveDifference(b.archive, a.archive)
        #expect(reverse.zooms.first?.onlyInB == 1)
    }

    @Test func `a tile that is only packed otherwise has the same features`() throws {
        let a = try SampleFile()
        let b = try SampleFile()
        var tiles = try b.archive.openTiles()
        let tile = TileID(z: 0, x: 0, y: 0)
        let bytes = try #require(try tiles.inflatedTile(at: tile, limit: 1 << 20))
        var gzip = GzipCompressor(level: 6)
        let stored = gzip.compress(bytes.span)
        let database = try Database(path: b.path, mode: .readWriteCreate)
        var update = try database.prepare("UPDATE tiles SET tile_data = ?1 WHERE zoom_level = 0")
        try update.run(binding: stored.span, at: 1)
        let zoom = try #require(try ArchiveDifference(a.archive, b.archive).zooms.first)
        #expect(zoom.repackedTiles == 1 && zoom.changedTiles == 0 && zoom.featuresOnlyInA == 0)
    }
}
