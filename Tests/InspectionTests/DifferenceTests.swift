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
        var told: [String] = []
        let difference = try ArchiveDifference(a.archive, b.archive) { group, change in
            told += group.tiles.map { "\($0) \(change)" }
        }
        #expect(told == ["0/0/0 repacked"])
        let zoom = try #require(difference.zooms.first)
        #expect(zoom.repackedTiles == 1 && zoom.changedTiles == 0 && zoom.featuresOnlyInA == 0)
    }

    @Test func `each way in which zooms differ is counted by itself`() throws {
        let a = try BuiltArchive(.layers)
        let b = try BuiltArchive(.layers)
        try a.change("DELETE FROM tiles WHERE zoom_level = 1")
        try b.change("DELETE FROM tiles WHERE zoom_level = 3")
        // One feature is another, one is gone, one has come.
        let id = try #require(try a.tiles(at: 2).first)
        var tile = try a.tile(id)
        let features = tile.layers[0].features.count
        tile.layers[0].features[0]["name"] = .string("another")
        tile.layers[0].features.append(.init(.points([.init(x: 1, y: 1)])))
        try a.write(tile, at: id)
        var told: [String: Set<TileID>] = [:]
        let difference = try ArchiveDifference(a.archive, b.archive) { group, change in
            told[change.rawValue, default: []].formUnion(group.tiles)
        }
        #expect(
            told == [
                "added": Set(try b.tiles(at: 1)), "changed": [id],
                "removed": Set(try a.tiles(at: 3)),
            ])
        #expect(!difference.isEmpty && difference.rows.isEmpty)
        #expect(difference.zooms.map(\.zoom) == [0, 1, 2, 3, 4])
        let zooms = difference.zooms
        #expect(!zooms[0].differs && zooms[0].sameTiles == 1 && zooms[0].first == nil)
        #expect(zooms[1].onlyInB == (try b.tiles(at: 1).count) && zooms[1].onlyInA == 0)
        #expect(zooms[1].featuresOnlyInB > 0 && zooms[1].featuresOnlyInA == 0)
        #expect(zooms[1].first == (try b.tiles(at: 1).first))
        #expect(zooms[2].changedTiles == 1 && zooms[2].repackedTiles == 0)
        #expect(zooms[2].featuresOnlyInA == 2 && zooms[2].featuresOnlyInB == 1)
        #expect(zooms[2].sameTiles == (try a.tiles(at: 2).count) - 1 && features > 0)
        #expect(zooms[2].first == id)
        #expect(zooms[3].onlyInA == (try a.tiles(at: 3).count) && zooms[3].onlyInB == 0)
        #expect(zooms[3].featuresOnlyInA > 0 && zooms[3].featuresOnlyInB == 0)
        let json = try #require(difference.json.asObject)
        #expect(json["differs"] == true && json["metadata"] == [])
        let entry = try #require(json["zooms"]?.asArray?[2].asObject)
        #expect(entry["changed_tiles"] == 1 && entry["features_only_in_a"] == 2)
        #expect(entry["features_only_in_b"] == 1 && entry["repacked_tiles"] == 0)
        #expect(entry["first"] == .string(id.description))
    }

    @Test func `tiles that cannot be read differ by their bytes`() throws {
        let a = try BuiltArchive(.single)
        let b = try BuiltArchive(.single)
        let id = TileID(z: 0, x: 0, y: 0)
        try a.write(stored: [0x1F, 0x8B, 1], at: id)
        try b.write(stored: [0x1F, 0x8B, 2], at: id)
        let zoom = try #require(try ArchiveDifference(a.archive, b.archive).zooms.first)
        #expect(zoom.changedTiles == 1 && zoom.featuresOnlyInA == 0 && zoom.featuresOnlyInB == 0)
        #expect(zoom.unreadableInA == 1 && zoom.unreadableInB == 1)
        try b.write(stored: [0x1F, 0x8B, 1], at: id)
        #expect(try ArchiveDifference(a.archive, b.archive).isEmpty)
        // Beside a tile that can be read, whose features are all others.
        let whole = try BuiltArchive(.single)
        let difference = try ArchiveDifference(whole.archive, a.archive)
        let other = try #require(difference.zooms.first)
        #expect(other.featuresOnlyInA > 0 && other.featuresOnlyInB == 0)
        #expect(other.changedTiles == 1 && other.unreadableInA == 0 && other.unreadableInB == 1)
        let json = try #require(difference.json.asObject?["zooms"]?.asArray?.first?.asObject)
        #expect(json["unreadable_tiles_in_b"] == 1 && json["unreadable_tiles_in_a"] == nil)
    }

    @Test func `archives of two containers are compared tile by tile, whichever comes first`()
        throws
    {
        let a = try SampleFile()
        var tiles: [TileID: [UInt8]] = [:]
        var scan = try a.archive.scan()
        while let tile = try scan.next() {
            tiles[tile] = scan.bytes.withUnsafeBufferPointer { Array($0) }
        }
        let path = FileManager.default.temporaryDirectory
            .appending(path: "covey-other-\(UUID().uuidString).pmtiles").path
        defer {
            for file in PMTiles.outputs(at: path) {
                try? FileManager.default.removeItem(atPath: file)
            }
        }
        let left = try #require(tiles.keys.max { $0.hilbertID < $1.hilbertID })
        let sink = try PMTiles.sink(to: path, options: SinkOptions())
        for tile in tiles.keys.sorted(by: { $0.hilbertID < $1.hilbertID }) where tile != left {
            let bytes = tiles[tile] ?? []
            try sink.write([tile], gzip: bytes.span, ends: [bytes.count])
        }
        try sink.finish(a.archive.metadata)
        let b = try Archive(path: path)
        let zooms = try ArchiveDifference(a.archive, b).zooms
        #expect(zooms.reduce(0) { $0 + $1.sameTiles } == tiles.count - 1)
        #expect(zooms.map(\.onlyInA).reduce(0, +) == 1 && zooms.allSatisfy { $0.onlyInB == 0 })
        let turned = try ArchiveDifference(b, a.archive).zooms
        #expect(turned.reduce(0) { $0 + $1.sameTiles } == tiles.count - 1)
        #expect(turned.map(\.onlyInB).reduce(0, +) == 1 && turned.allSatisfy { $0.onlyInA == 0 })
    }
}
