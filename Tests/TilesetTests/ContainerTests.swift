import ArchiveContract
import Foundation
import Geometry
import JSON
import Recipes
import TestSupport
import Testing
import TileArchive
import Tileset

/// A build into a container that is not MBTiles, and reading from it.
struct ContainerTests {
    @Test func `one new type is enough to build into a container and to read from it`() throws {
        let points = SamplePoint.towns(9_000, seed: 31)
        let baked = try BakedArchive(points, tiles: ["maxZoom": 6])
        let input = baked.directory.appendingPathComponent("in.geojsonl").path
        let recipe = try Recipe(
            reading: JSONNode([
                "tiles": ["maxZoom": 6],
                "layers": [["name": "points", "sources": [.string(input)]]],
            ]))
        let path = baked.directory.appendingPathComponent("out.tiles").path
        _ = try TilesetBuild(recipe, to: path, in: FolderArchive.self).run()
        let folder = Archive(
            try FolderArchive(path: path), named: FolderArchive.name, path: path)
        #expect(folder.containerName == "Folder" && baked.archive.containerName == "MBTiles")
        #expect(folder.metadata.covey == baked.archive.metadata.covey)
        #expect(try Self.tiles(of: folder) == Self.tiles(of: baked.archive))
        #expect(try Self.clusters(of: folder) == Self.clusters(of: baked.archive))
        #expect(try Self.blocks(of: folder) == Self.blocks(of: baked.archive))
        try Self.expectSameAnswers(folder, baked.archive)
        try Self.expectHilbertOrder(ofTilesIn: path)
    }

    @Test func `the ending of a name tells the container, and so do the first bytes`() {
        func kind(_ name: String) -> String? {
            ArchiveContainers.container(named: name).map { $0.name }
        }
        #expect(kind("a.mbtiles") == "MBTiles" && kind("x/a.b.MBTiles") == "MBTiles")
        #expect(kind("a.pmtiles") == "PMTiles" && kind("a.tiles/") == "folder")
        for name in ["mbtiles", "a.mbtiles/b", "a.pmtile", "", "a."] { #expect(kind(name) == nil) }
        let magic = Array("SQLite format 3\0 and more".utf8)
        #expect(ArchiveContainers.container(of: magic)?.name == "MBTiles")
        #expect(ArchiveContainers.container(of: Array(magic.prefix(15))) == nil)
    }

    @Test func `small archives get small pages`() throws {
        // Hexadecimal digits at random pack to half of their bytes; the point is in five tiles.
        func pageSize(textBytes: Int) throws -> Int {
            var random = SeededRandom(seed: 1)
            let digits = (0..<textBytes / 16).map { _ in
                let word = String(random.next(), radix: 16)
                return String(repeating: "0", count: 16 - word.count) + word
            }
            let text = digits.joined()
            let point = SamplePoint(
                place: LonLat(longitude: 1, latitude: 2), properties: [("text", .string(text))])
            let bytes = try BakedArchive([point], tiles: ["maxZoom": 1]).bytes
            return Int(bytes[16]) << 8 | Int(bytes[17])
        }
        #expect(try pageSize(textBytes: 10) == 4_096)
        #expect(try pageSize(textBytes: 300_000) == 4_096)
        #expect(try pageSize(textBytes: 500_000) == 16_384)
    }

    private static func expectSameAnswers(_ a: Archive, _ b: Archive) throws {
        var first = try a.openClusters()
        var second = try b.openClusters()
        #expect(first.leafBound == second.leafBound && first.description == second.description)
        for leaf in stride(from: Int64(0), to: 9_000, by: 1_234) {
            for zoom in [0, 3, 6] {
                let node = try first.node(holding: leaf, at: zoom)
                #expect(try second.node(holding: leaf, at: zoom) == node)
            }
        }
        #expect(try first.hull(ofLeafBlock: 1) == second.hull(ofLeafBlock: 1))
        var tiles = try a.openTiles()
        var others = try b.openTiles()
        for tile in [TileID(z: 0, x: 0, y: 0), TileID(z: 6, x: 0, y: 0)] {
            #expect(try tiles.tile(at: tile) == others.tile(at: tile))
        }
    }

    /// Tiles came zoom by zoom, neighbours one after another.
    private static func expectHilbertOrder(ofTilesIn path: String) throws {
        let written = try FolderArchive(path: path).contents.tiles.map { numbers in
            (numbers[0], Hilbert.distance(x: numbers[1], y: numbers[2], order: UInt8(numbers[0])))
        }
        #expect(written.count > 100)
        #expect(zip(written, written.dropFirst()).allSatisfy { $0 < $1 })
    }

    private static func tiles(of archive: Archive) throws -> [TileID: [UInt8]] {
        var tiles: [TileID: [UInt8]] = [:]
        var scan = try archive.scan()
        while let tile = try scan.next() { tiles[tile] = Array(copying: scan.bytes) }
        return tiles
    }

    private static func clusters(of archive: Archive) throws -> [ClusterRow] {
        var rows: [ClusterRow] = []
        let scan = try archive.scanClusters()
        while let row = try scan.next() { rows.append(row) }
        return rows
    }

    private static func blocks(of archive: Archive) throws -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        var scan = try archive.scanLeafBlocks()
        while try scan.next() != nil {
            blocks.append(Array(copying: scan.bytes) + Array("\(scan.hull ?? [])".utf8))
        }
        return blocks
    }
}
