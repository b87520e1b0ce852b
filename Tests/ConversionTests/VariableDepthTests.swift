import ArchiveContract
import Conversion
import Foundation
import Geometry
import Inspection
import JSON
import Testing
import TileArchive

/// Archives in which tiles are left out because their ancestors show the same.
struct VariableDepthTests {
    let files = try! BakedFiles()

    #if DEBUG
        static let seeds: [UInt64] = [1]
    #else
        static let seeds: [UInt64] = [1, 2, 3]
    #endif

    @Test(arguments: seeds)
    func `verify finds every point at every zoom, with fewer tiles`(seed: UInt64) throws {
        let points = try files.points("p", count: 1_200, seed: seed)
        let whole = try files.build("a.mbtiles", [("p", points)], tiles: ["maxZoom": 9])
        let thin = try files.build(
            "b.mbtiles", [("p", points)], tiles: ["maxZoom": 9, "variableDepth": true])
        #expect(try thin.description?.get().variableDepth == 3)
        let (all, fewer) = (try Contents(of: whole), try Contents(of: thin))
        #expect(fewer.tiles.count * 4 < all.tiles.count * 3)
        #expect(fewer.clusters == all.clusters && fewer.blocks == all.blocks)
        let findings = try Verification(of: thin, threads: 2, isDeep: true).findings
        #expect(findings.all.isEmpty, "\(findings.all)")
        for tile in all.tiles.keys where fewer.tiles[tile] == nil {
            try expectCover(of: tile, in: Set(fewer.tiles.keys), all)
        }
    }

    /// The nearest ancestor lies at most three zooms above, and at its side nothing was kept.
    private func expectCover(of tile: TileID, in kept: Set<TileID>, _ all: Contents) throws {
        var ancestor = tile.parent
        while let next = ancestor, !kept.contains(next) { ancestor = next.parent }
        let cover = try #require(ancestor)
        let depth = UInt32(tile.z - cover.z)
        #expect(depth <= 3)
        let shift = depth
        for x in (cover.x << shift)..<((cover.x + 1) << shift) {
            for y in (cover.y << shift)..<((cover.y + 1) << shift) {
                #expect(!kept.contains(TileID(z: tile.z, x: x, y: y)))
            }
        }
    }

    @Test func `a deepest zoom that is left out is no zoom, and conversions keep those there are`()
        throws
    {
        let points = try files.points("p", count: 1, seed: 5)
        let thin = try files.build(
            "a.mbtiles", [("p", points)],
            tiles: ["maxZoom": 11, "variableDepth": true])
        let deepest = try Contents(of: thin).tiles.keys.map(\.z).max()
        #expect(deepest == 8)
        #expect(thin.metadata.maxZoom == deepest)
        #expect(thin.metadata.vectorLayers.map(\.maxZoom) == [deepest])
        #expect(try Verification(of: thin, threads: 1, isDeep: true).findings.all.isEmpty)
        let (pair, _) = try files.convert(thin, "a.pmtiles")
        #expect(pair.metadata.maxZoom == deepest)
        #expect(try Verification(of: pair, threads: 1, isDeep: true).findings.all.isEmpty)
        let (back, _) = try files.convert(pair, "b.mbtiles")
        #expect(back.metadata.vectorLayers == thin.metadata.vectorLayers)
        #expect(
            try Data(contentsOf: URL(filePath: back.path))
                == Data(contentsOf: URL(filePath: thin.path)))
    }

    @Test func `a tile that is missing without cover is noticed`() throws {
        let points = try files.points("p", count: 600, seed: 7)
        let thin = try files.build(
            "a.mbtiles", [("p", points)], tiles: ["maxZoom": 8, "variableDepth": true])
        let tiles = try Contents(of: thin).tiles.keys.filter { $0.z == 6 }.sorted()
        // All tiles but one, by way of a container that hides it.
        let hidden = Hiding(thin.path, tiles[tiles.count / 2])
        let archive = Archive(hidden, named: "MBTiles", path: thin.path)
        let findings = try Verification(of: archive, threads: 2).findings
        #expect(findings.hasErrors)
    }

    @Test func `shallow tiles that stand for deeper ones are not cut off`() throws {
        let points = try files.points("p", count: 500, seed: 7)
        let thin = try files.build(
            "a.mbtiles", [("p", points)], tiles: ["maxZoom": 6, "variableDepth": true])
        #expect(throws: ConversionError.self) {
            _ = try files.convert(thin, "b.mbtiles") { $0.selection = TileSelection(zooms: 2...6) }
        }
        let (cut, _) = try files.convert(thin, "c.mbtiles") {
            $0.selection = TileSelection(zooms: 0...4)
        }
        #expect(try !Verification(of: cut, threads: 2).findings.hasErrors)
    }

    @Test func `what a box cuts out still says that shallow tiles stand for deeper ones`() throws {
        let points = try files.points("p", count: 500, seed: 7)
        let thin = try files.build(
            "a.mbtiles", [("p", points)], tiles: ["maxZoom": 9, "variableDepth": true])
        let box = LonLatBox(west: -120, south: -60, east: 120, north: 60)
        let (part, _) = try files.convert(thin, "b.mbtiles") {
            $0.selection = TileSelection(box: box)
        }
        #expect(try part.description?.get().variableDepth == 3)
        let findings = try Verification(of: part, threads: 2, isDeep: true).findings
        #expect(!findings.hasErrors, "\(findings.all)")
        #expect(throws: ConversionError.self) {
            _ = try files.convert(part, "c.mbtiles") { $0.selection = TileSelection(zooms: 2...9) }
        }
    }

    @Test func `a layer that goes deeper outside of a box is no alarm`() throws {
        func town(_ name: String, around longitude: Double, _ latitude: Double) throws -> String {
            let lines = (0..<30).map { number in
                let place = "\(longitude + Double(number % 6)),\(latitude + Double(number / 6))"
                return #"{"type":"Feature","properties":{"n":1},"geometry":"#
                    + #"{"type":"Point","coordinates":[\#(place)]}}"#
            }
            let path = files.file(name + ".geojsonl")
            try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
        // Both are in one tile of zoom 2.
        let thin = try files.build(
            "a.mbtiles",
            [("near", town("near", around: 8, 8)), ("far", town("far", around: 80, 50))],
            tiles: ["maxZoom": 6, "variableDepth": true])
        let (part, _) = try files.convert(thin, "b.mbtiles") {
            $0.selection = TileSelection(
                box: LonLatBox(west: 5, south: 5, east: 20, north: 20))
        }
        let findings = try Verification(of: part, threads: 1).findings.all
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test func `a layer reaches as deep as others that are cut off with it`() throws {
        // The point is drawn at zoom 0 alone, in a tile that stands for those of three more.
        let lone = try files.points("lone", count: 1, seed: 5)
        let many = try files.points("many", count: 900, seed: 6)
        let thin = try files.build(
            "a.mbtiles", [("lone", lone), ("many", many)],
            tiles: ["maxZoom": 6, "variableDepth": true])
        for last in 1...6 {
            let (cut, _) = try files.convert(thin, "c\(last).mbtiles") {
                $0.selection = TileSelection(zooms: 0...last)
            }
            #expect(cut.metadata.vectorLayers.map(\.maxZoom) == [UInt8(last), UInt8(last)])
            let findings = try Verification(of: cut, threads: 1).findings.all
            #expect(findings.isEmpty, "\(findings)")
        }
    }
}
