import Compression
import Conversion
import Foundation
import Geometry
import Inspection
import JSON
import SQLite
import Testing
import TileArchive
import VectorTile

/// What conversions and joins write is true of itself, and the same bytes where a build makes the same.
struct PartialArchiveTests {
    let files = try! BakedFiles()

    private func findings(_ archive: Archive, isDeep: Bool = true) throws -> [Finding] {
        try Verification(of: archive, threads: 2, isDeep: isDeep).findings.all.filter {
            // An archive that came of others has no recipe to compare with.
            !(isDeep && $0.severity == .warning && $0.code == "recipe")
        }
    }

    private func join(_ archives: [Archive], _ name: String) throws -> Archive {
        let path = files.file(name)
        let container = try #require(ArchiveContainers.container(named: path))
        _ = try ArchiveJoin(archives, to: path, in: container).run()
        return try Archive(path: path)
    }

    private func bytes(_ archive: Archive) throws -> Data {
        try Data(contentsOf: URL(filePath: archive.path))
    }

    @Test(arguments: [
        LonLatBox(west: -60, south: -20, east: 80, north: 60),
        LonLatBox(west: 20, south: 40, east: 21, north: 60),
        LonLatBox(west: 150, south: -80, east: -150, north: 80),
    ])
    func `bounds, layers and fields of a part are those of its tiles`(box: LonLatBox) throws {
        let points = try files.points("p", count: 200, seed: 4)
        let far = try files.points("f", count: 3, seed: 8)
        let whole = try files.build(
            "a.mbtiles", [("points", points), ("far", far)], tiles: ["maxZoom": 6])
        for zooms in [0...31, 0...3, 2...6] {
            let (part, _) = try files.convert(whole, "\(zooms).mbtiles") {
                $0.selection = TileSelection(zooms: zooms, box: box)
            }
            #expect(try findings(part, isDeep: false) == [])
            let (cut, _) = try files.convert(whole, "cut\(zooms).pmtiles") {
                $0.selection = TileSelection(zooms: zooms)
            }
            #expect(try findings(cut) == [])
        }
    }

    @Test func `damaged answers are a difference between two archives`() throws {
        let points = try files.points("p", count: 900, seed: 4)
        let archives = try ["a.mbtiles", "b.mbtiles"].map {
            try files.build($0, [("points", points)], tiles: ["maxZoom": 4])
        }
        #expect(try ArchiveDifference(archives[0], archives[1]).isEmpty)
        try Database(path: archives[1].path, mode: .readWriteCreate).execute(
            "UPDATE covey_blocks SET data = x'00' WHERE block = 0")
        let rows = try ArchiveDifference(archives[0], Archive(path: archives[1].path)).rows
        #expect(rows.map(\.name) == ["clusters"] && rows[0].a != rows[0].b)
        // Programs that know only tiles leave the table behind.
        try Database(path: archives[1].path, mode: .readWriteCreate).execute(
            "DROP TABLE covey_blocks")
        let bare = try Archive(path: archives[1].path)
        #expect(try findings(bare).map(\.code).contains("cluster-file"))
        let (copy, report) = try files.convert(bare, "c.pmtiles")
        #expect(report.warnings.contains { $0.contains("the index of clusters is left out") })
        #expect(try !findings(copy).contains { $0.severity == .error })
    }

    @Test func `parts of one archive are joined to what it was`() throws {
        let points = try files.points("p", count: 900, seed: 4)
        let whole = try files.build(
            "a.mbtiles", [("points", points)], tiles: ["maxZoom": 4, "leaves": false])
        let parts = try [(-180.0, 10.0), (10, 180)].map { west, east in
            let box = LonLatBox(west: west, south: -85, east: east, north: 85)
            return try files.convert(whole, "\(west).mbtiles") {
                $0.selection = TileSelection(box: box)
            }.0
        }
        let difference = try ArchiveDifference(whole, join(parts, "joined.mbtiles"))
        #expect(difference.zooms.allSatisfy { $0.changedTiles + $0.onlyInA + $0.onlyInB == 0 })
    }

    @Test func `a layer that a filter empties is no alarm, nor are points that are never drawn`()
        throws
    {
        let points = try files.points("p", count: 300, seed: 4)
        let empty = try files.points("e", count: 0, seed: 4)
        // Every other value is a text, and no tile may have more than two features.
        let text = try String(contentsOfFile: points, encoding: .utf8)
        try text.replacing("\"n\": 4", with: "\"n\": \"four\"")
            .write(toFile: points, atomically: true, encoding: .utf8)
        try "{\"type\": \"FeatureCollection\", \"features\": []}"
            .write(toFile: empty, atomically: true, encoding: .utf8)
        let archive = try files.build(
            "a.mbtiles", [("points", points), ("empty", empty)],
            tiles: ["maxZoom": 3, "maxFeatures": 2])
        #expect(archive.metadata.vectorLayers.map(\.id) == ["points"])
        #expect(archive.metadata.tileStats?.asObject?["layerCount"] == 1)
        #expect(try archive.description?.get().layers.map(\.name) == ["points", "empty"])
        #expect(try archive.description?.get().layers[0].clustering?.heldMaxZoom == 3)
        #expect(try findings(archive) == [])
    }

    @Test func `another program's clusters are let be beside those that are known`() throws {
        let points = try files.points("p", count: 300, seed: 4)
        let known = try files.build("a.mbtiles", [("points", points)], tiles: ["maxZoom": 3])
        let writer = try MBTilesWriter(to: files.file("b.mbtiles"))
        var gzip = GzipCompressor(level: 1)
        for zoom in UInt8(0)...3 {
            var builder = TileBuilder()
            builder.beginLayer("others")
            builder.beginPoint(id: 7, x: 5, y: 4_000)
            builder.addTag(builder.key("clustered"), .bool(true))
            builder.addTag(builder.key("point_count"), .uint(9))
            builder.endFeature()
            builder.endLayer()
            let tile = TileID(z: zoom, x: 0, y: (1 << UInt32(zoom)) - 1)
            try writer.write(tile, gzip: gzip.compress(builder.bytes).span)
        }
        var metadata = ArchiveMetadata(name: "others")
        metadata.minZoom = 0
        metadata.maxZoom = 3
        metadata.bounds = LonLatBox(west: 1, south: 2, east: 3, north: 4)
        metadata.vectorLayers = [
            VectorLayer(
                id: "others",
                fields: [.init("clustered", .boolean), .init("point_count", .number)])
        ]
        try writer.finish(metadata)
        let joined = try join([known, Archive(path: files.file("b.mbtiles"))], "c.mbtiles")
        #expect(joined.metadata.vectorLayers.map(\.id) == ["points", "others"])
        #expect(try findings(joined) == [])
        // A layer of which some is in an index and some is not would be told of wrongly.
        let bare = try files.build(
            "d.mbtiles", [("points", points)], tiles: ["maxZoom": 3, "leaves": false])
        let error = #expect(throws: ConversionError.self) {
            _ = try join([known, bare], "e.mbtiles")
        }
        #expect(error?.description.contains("has a cluster index") == true)
    }

    @Test(arguments: [300, 4_000])
    func `an archive that comes back is the same file, and so is a join`(count: Int) throws {
        let (bars, inns) = try (
            // The first has more points: a map opens on the first archive's largest cluster.
            files.points("bars", count: count, seed: 1, ids: 1..<count + 1, text: 800),
            files.points("inns", count: count / 9, seed: 2, ids: 70_000..<70_001 + count)
        )
        let built = try files.build(
            "whole.mbtiles", [("bars", bars), ("inns", inns)], tiles: ["maxZoom": 4])
        let (folder, _) = try files.convert(built, "f/")
        let (pair, _) = try files.convert(folder, "p.pmtiles")
        let (back, _) = try files.convert(pair, "back.mbtiles")
        #expect(try bytes(back) == bytes(built))
        let parts = try [("bars", bars), ("inns", inns)].map { layer in
            try files.build(layer.0 + ".mbtiles", [layer], tiles: ["maxZoom": 4])
        }
        #expect(try bytes(join(parts, "joined.mbtiles")) == bytes(built))
        // Pages by what tiles there are.
        let size = try bytes(built)[16..<18].reduce(0) { $0 << 8 | Int($1) }
        #expect(size == (count > 1_000 ? 16_384 : 4_096))
    }

    @Test func `an archive whose depth the data decided has none to be found in its parts`() throws
    {
        let points = try files.points("auto", count: 400, seed: 8)
        let whole = try files.build(
            "auto.mbtiles", [("points", points)], tiles: ["maxZoom": "auto"])
        for zooms in [0...31, 1...31, 0...3, 2...4] {
            let (part, _) = try files.convert(whole, "auto\(zooms).pmtiles") {
                $0.selection = TileSelection(zooms: zooms)
            }
            let findings = try Verification(of: part, threads: 2, isDeep: true).findings.all
            #expect(findings.isEmpty, "\(zooms): \(findings)")
        }
    }

    /// No zoom of it has a million tiles, all together have.
    @Test func `runs that stand for more tiles than a file may have are not joined`() throws {
        var gzip = GzipCompressor(level: 1)
        let bytes = gzip.compress([UInt8]().span)
        let sink = try PMTiles.sink(to: files.file("runs.pmtiles"), options: SinkOptions())
        for (zoom, count) in [(UInt8(9), 1 << 18), (10, 800_000)] as [(UInt8, UInt64)] {
            try sink.write(TileRun(zoom: zoom, distances: 0..<count), gzip: bytes.span)
        }
        try sink.finish(ArchiveMetadata(name: "runs"))
        let points = try files.points("p", count: 30, seed: 4)
        let other = try files.build("p.mbtiles", [("p", points)], tiles: ["maxZoom": 2])
        let error = #expect(throws: ArchiveError.self) {
            _ = try join([other, Archive(path: files.file("runs.pmtiles"))], "both.mbtiles")
        }
        #expect(error?.description.contains("more than 1000000 tiles") == true)
        #expect(!FileManager.default.fileExists(atPath: files.file("both.mbtiles")))
    }
}
