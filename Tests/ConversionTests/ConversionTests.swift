import Compression
import Conversion
import Foundation
import Geometry
import Inspection
import JSON
import SQLite
import Testing
import TileArchive

struct ConversionTests {
    let files = try! BakedFiles()

    /// An archive of two leaf blocks, which is built once.
    private static let built = Result { () throws -> Data in
        let files = try BakedFiles()
        let points = try files.points("in", count: 6_000, seed: 3, ids: 1..<6_001)
        try files.build("in.mbtiles", [("points", points)], tiles: ["maxZoom": 5])
        return try Data(contentsOf: URL(filePath: files.file("in.mbtiles")))
    }

    private func sample() throws -> Archive {
        let path = files.file("in.mbtiles")
        try Self.built.get().write(to: URL(filePath: path))
        return try Archive(path: path)
    }

    @Test func `from a file to a folder and back nothing changes, hash and clusters included`()
        throws
    {
        let archive = try sample()
        let (folder, report) = try files.convert(archive, "out/")
        let (back, _) = try files.convert(folder, "back.mbtiles")
        #expect(report.packedTiles == 0 && report.notes.isEmpty)
        #expect(try Contents(of: folder) == Contents(of: archive))
        #expect(try Contents(of: back) == Contents(of: archive))
        #expect(back.metadata.tilesHash == archive.metadata.tilesHash)
        #expect(back.metadata.tilesHash != nil)
        var (a, b) = (back.metadata, archive.metadata)
        (a.covey, b.covey) = (nil, nil)
        #expect(a == b)
        #expect(try back.description?.get() == archive.description?.get())
        #expect(try !Verification(of: back, threads: 2, isDeep: true).findings.hasErrors)
        #expect(try !Verification(of: folder, threads: 2, isDeep: true).findings.hasErrors)
    }

    @Test func `a folder of plain files gives the same archive again, packed as it was built`()
        throws
    {
        let archive = try sample()
        let (folder, _) = try files.convert(archive, "plain/", gzip: false)
        let (back, report) = try files.convert(folder, "back.mbtiles")
        #expect(report.packedTiles == report.tiles && report.tiles > 50)
        #expect(back.metadata.tilesHash == archive.metadata.tilesHash)
        #expect(try Contents(of: back) == Contents(of: archive))
        #expect(try !Verification(of: folder, threads: 2).findings.hasErrors)
    }

    @Test func `metadata that are too long to be read are not lost without a word`() throws {
        _ = try sample()
        let path = files.file("in.mbtiles")
        try Database(path: path, mode: .readWrite).execute(
            "UPDATE metadata SET value = hex(zeroblob(2200000)) WHERE name = 'json'")
        let archive = try Archive(path: path)
        let error = ConversionError.longMetadata(
            path: path,
            reason: "metadata row 'json' has 4400004 bytes, which is too long to be read")
        #expect(throws: error) { try files.convert(archive, "out.pmtiles") }
        #expect(throws: error) {
            try ArchiveJoin([archive], to: files.file("out.mbtiles"), in: MBTiles.self).run()
        }
        #expect(!FileManager.default.fileExists(atPath: files.file("out.pmtiles")))
    }

    @Test func `some zooms are an archive that is true of itself`() throws {
        let archive = try sample()
        let (part, report) = try files.convert(archive, "part.mbtiles") {
            $0.selection = TileSelection(zooms: 1...3)
        }
        #expect(part.metadata.minZoom == 1 && part.metadata.maxZoom == 3)
        #expect(part.metadata.vectorLayers[0].maxZoom == 3)
        #expect(part.metadata.tileStats == nil && report.notes.count == 1)
        let all = try Contents(of: archive)
        #expect(try Contents(of: part).tiles == all.tiles.filter { (1...3).contains($0.key.z) })
        #expect(try Contents(of: part).clusters == all.clusters)
        #expect(try !Verification(of: part, threads: 2).findings.hasErrors)
    }

    @Test func `a box takes the tiles that touch it, and leaves the index out`() throws {
        let archive = try sample()
        let all = try Contents(of: archive).tiles
        for box in [
            LonLatBox(west: -60, south: -20, east: 80, north: 60),
            LonLatBox(west: 150, south: -80, east: -150, north: 80),
        ] {
            let name = "box\(box.crossesAntimeridian).mbtiles"
            let (part, report) = try files.convert(archive, name) {
                $0.selection = TileSelection(box: box)
            }
            let wanted = all.filter { Self.touch($0.key.box, box) }
            #expect(try Contents(of: part).tiles == wanted)
            #expect(wanted.count < all.count && !part.hasClusters)
            #expect(try part.description?.get().isPart == true)
            #expect(report.notes.contains { $0.contains("points outside the box") })
            let bounds = try #require(part.metadata.bounds)
            if let center = part.metadata.center { #expect(bounds.contains(center)) }
            #expect(try !Verification(of: part, threads: 2).findings.hasErrors)
        }
        #expect(throws: ConversionError.noTiles(path: archive.path, asked: "at those zooms")) {
            _ = try files.convert(archive, "none.mbtiles") {
                $0.selection = TileSelection(zooms: 9...9)
            }
        }
        #expect(throws: (any Error).self) { _ = try Archive(path: files.file("none.mbtiles")) }
    }

    /// Whether boxes have more than an edge in common, the slow way.
    private static func touch(_ tile: LonLatBox, _ box: LonLatBox) -> Bool {
        guard tile.south < box.north, tile.north > box.south else { return false }
        return box.crossesAntimeridian
            ? tile.east > box.west || tile.west < box.east
            : tile.east > box.west && tile.west < box.east
    }

    @Test func `tiles that are compressed in another way than gzip are refused`() throws {
        let writer = try MBTilesWriter(to: files.file("z.mbtiles"))
        let zlib: [UInt8] = [0x78, 0x9C, 1, 2]
        try writer.write(TileID(z: 0, x: 0, y: 0), gzip: zlib.span)
        try writer.finish(ArchiveMetadata(name: "zlib"))
        let archive = try Archive(path: files.file("z.mbtiles"))
        #expect(throws: ConversionError.self) { try files.convert(archive, "z.pmtiles") }
        #expect(!FileManager.default.fileExists(atPath: files.file("z.pmtiles")))
        for (number, name) in [(UInt8(3), "brotli"), (4, "zstd")] {
            let path = try pmtiles("\(name).pmtiles") { $0[98] = number }
            let error = #expect(throws: ArchiveError.self) { try Archive(path: path) }
            #expect(error.map { "\($0)" }?.contains("compressed with \(name)") == true)
        }
    }

    @Test func `MapLibre tiles stay what they are`() throws {
        let archive = try Archive(path: pmtiles("m.pmtiles") { $0[99] = 6 })
        #expect(archive.metadata.format == "mlt")
        _ = try files.convert(archive, "n.pmtiles")
        #expect(try Data(contentsOf: URL(filePath: files.file("n.pmtiles")))[99] == 6)
    }

    /// A small archive, with another header.
    private func pmtiles(_ name: String, _ change: (inout Data) -> Void) throws -> String {
        let points = try files.points("few", count: 9, seed: 1)
        _ = try files.build(name, [("few", points)], tiles: ["maxZoom": 1, "leaves": false])
        let file = URL(filePath: files.file(name))
        var bytes = try Data(contentsOf: file)
        change(&bytes)
        try bytes.write(to: file)
        return file.path
    }

    @Test func `what another program made is converted: pictures, plain tiles, no metadata`() throws
    {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2]
        let writer = try MBTilesWriter(to: files.file("p.mbtiles"))
        for x in UInt32(0)..<2 { try writer.write(TileID(z: 1, x: x, y: 0), gzip: png.span) }
        var metadata = ArchiveMetadata(name: "pictures")
        metadata.format = "png"
        metadata.others = ["legend": "none"]
        try writer.finish(metadata)
        let pictures = try Archive(path: files.file("p.mbtiles"))
        let (folder, report) = try files.convert(pictures, "p/", gzip: false)
        #expect(report.packedTiles == 0 && folder.metadata.format == "png")
        #expect(folder.metadata.others["legend"] == "none")
        // Zooms and bounds are those of the tiles.
        #expect(folder.metadata.minZoom == 1 && folder.metadata.maxZoom == 1)
        #expect(folder.metadata.bounds?.south == 0)
        let (back, _) = try files.convert(folder, "p2.mbtiles")
        #expect(try Contents(of: back) == Contents(of: pictures))

        let plain = try MBTilesWriter(to: files.file("v.mbtiles"))
        let bytes: [UInt8] = [0x1A, 0]
        try plain.write(TileID(z: 0, x: 0, y: 0), gzip: bytes.span)
        try plain.finish(ArchiveMetadata(name: "vector"))
        // GDAL writes a row beyond the last for points at 180 degrees.
        try Database(path: files.file("v.mbtiles"), mode: .readWriteCreate).execute(
            "INSERT INTO tiles VALUES (0, 1, 0, 'x'), (1, 0, 2, 'x')")
        let (packed, packing) = try files.convert(
            Archive(path: files.file("v.mbtiles")), "v2.mbtiles")
        #expect(packing.packedTiles == 1 && packing.tiles == 1)
        #expect(packing.notes.map { $0.prefix(26) } == ["left out 2 rows of tiles: "])
        var lookup = try packed.openTiles()
        #expect(try lookup.inflatedTile(at: TileID(z: 0, x: 0, y: 0), limit: 9) == bytes)
    }

    @Test func `a leaf block of an impossible number is refused`() throws {
        let points = try files.points("few", count: 50, seed: 3, ids: 1..<51)
        let archive = try files.build("few.mbtiles", [("points", points)], tiles: ["maxZoom": 3])
        try Database(path: archive.path, mode: .readWriteCreate).execute(
            "UPDATE covey_blocks SET block = 9223372036854775807 WHERE block = 0")
        #expect(throws: (any Error).self) {
            try files.convert(Archive(path: archive.path), "numbers.pmtiles")
        }
    }

    /// Every tile is another name for one: together they are far more than the file.
    @Test func `views that repeat a tile without end are not converted`() throws {
        let path = files.file("views.mbtiles")
        let database = try Database(path: path, mode: .readWriteCreate)
        try database.execute(
            """
            CREATE TABLE metadata (name, value); CREATE TABLE n (i); CREATE TABLE image (data);
            INSERT INTO metadata VALUES ('format', 'pbf'), ('minzoom', '0'), ('maxzoom', '8');
            INSERT INTO n VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11);
            INSERT INTO image VALUES (CAST(printf('%.500000c', char(26)) AS BLOB));
            CREATE VIEW tiles AS SELECT 8 AS zoom_level, a.i * 12 + b.i AS tile_column,
                c.i AS tile_row, data AS tile_data FROM n a, n b, n c, image
            """)
        for name in ["views.pmtiles", "views2.mbtiles"] {
            #expect(throws: ArchiveError.self) {
                try files.convert(Archive(path: path), name)
            }
        }
    }

    @Test func `an archive is not converted onto itself`() throws {
        let archive = try sample()
        #expect(throws: ConversionError.outputIsInput(archive.path)) {
            _ = try files.convert(archive, "in.mbtiles") { $0.sink.replacesExisting = true }
        }
        #expect(throws: ConversionError.cancelled) {
            _ = try files.convert(archive, "x.mbtiles") { $0.isCancelled = { true } }
        }
    }
}
