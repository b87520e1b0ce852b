import ArchiveContract
import Conversion
import Foundation
import Geometry
import Inspection
import JSON
import SQLite
import Testing
import TileArchive

/// Archives with spread points, finer counts and clusters that name their parents, cut and joined.
struct CompanionTests {
    let files = try! BakedFiles()
    private static let tiles: JSONValue = [
        "maxZoom": 5, "spread": true, "heat": true, "bins": "hexagon:60",
    ]
    private static let fields: JSONValue = ["parent", "parent_dx", "parent_dy"]

    @Test func `what is joined is what one build makes, parents and companions too`() throws {
        let bars = try files.points("bars", count: 900, seed: 1)
        let inns = try files.points("inns", count: 700, seed: 2)
        // Twice the same file: every place has two points.
        let layers = [("bars", bars), ("inns", inns)]
        let parts = try layers.enumerated().map { number, layer in
            try files.build(
                "part\(number).mbtiles", [layer], tiles: Self.tiles, fields: Self.fields, copies: 2)
        }
        let whole = try files.build(
            "whole.mbtiles", layers, tiles: Self.tiles, fields: Self.fields, copies: 2)
        let options = ConversionOptions()
        let path = files.file("joined.mbtiles")
        let report = try ArchiveJoin(parts, to: path, in: MBTiles.self, options: options).run()
        let joined = try Archive(path: path)
        #expect(report.notes.isEmpty)
        #expect(joined.metadata.tilesHash == whole.metadata.tilesHash)
        #expect(try joined.description?.get() == whole.description?.get())
        #expect(joined.metadata.vectorLayers == whole.metadata.vectorLayers)
        #expect(joined.metadata.tileStats == whole.metadata.tileStats)
        for archive in [joined, whole] {
            let findings = try Verification(of: archive, threads: 2, isDeep: true).findings
            #expect(findings.all.isEmpty, "\(findings.all)")
        }
    }

    @Test func `zooms may be cut from both ends`() throws {
        let bars = try files.points("bars", count: 500, seed: 1)
        let whole = try files.build(
            "whole.mbtiles", [("bars", bars)], tiles: Self.tiles, copies: 3)
        for zooms in [0...3, 2...5, 5...5] {
            let (part, _) = try files.convert(whole, "part\(zooms.lowerBound).mbtiles") {
                $0.selection = TileSelection(zooms: zooms)
            }
            let findings = try Verification(of: part, threads: 2).findings
            #expect(!findings.hasErrors, "\(zooms): \(findings.all)")
        }
    }

    @Test func `of what a box cuts out all is said but how many points and clusters there are`()
        throws
    {
        let bars = try files.points("bars", count: 500, seed: 1)
        let whole = try files.build(
            "whole.mbtiles", [("bars", bars)], tiles: Self.tiles, copies: 2,
            clusters: ["facets": ["kind"]])
        let (part, _) = try files.convert(whole, "part.pmtiles") {
            $0.selection = TileSelection(
                box: LonLatBox(west: -100, south: -60, east: 100, north: 60))
        }
        let (all, some) = try (
            #require(try whole.description?.get()), #require(try part.description?.get())
        )
        #expect(some.isPart && some.blocks == nil && some.leafCount == 0)
        #expect(some.buffer == all.buffer && some.extent == all.extent)
        var layer = all.layers[0]
        #expect(layer.facets.count == 1 && layer.companions.count == 3)
        (layer.leaves, layer.clusterCount) = (0..<0, nil)
        #expect(some.layers == [layer])
        #expect(try !Verification(of: part, threads: 2, isDeep: true).findings.hasErrors)
        let (again, _) = try files.convert(part, "again.mbtiles")
        #expect(try again.description?.get() == some)
    }

    @Test func `how far points are drawn apart is measured where their own layer ends`() throws {
        let bars = try files.points("bars", count: 300, seed: 1)
        let inns = try files.points("inns", count: 300, seed: 2)
        let parts = try [
            files.build(
                "a.mbtiles", [("bars", bars)], tiles: ["maxZoom": 3, "spread": 90], copies: 3),
            files.build("b.mbtiles", [("inns", inns)], tiles: ["maxZoom": 6]),
        ]
        let path = files.file("joined.mbtiles")
        _ = try ArchiveJoin(parts, to: path, in: MBTiles.self).run()
        let findings = try Verification(of: Archive(path: path), threads: 2).findings
        #expect(findings.all.isEmpty, "\(findings.all)")
    }

    @Test func `a single zoom has no finer counts, and none are missed`() throws {
        let bars = try files.points("bars", count: 300, seed: 1)
        let tiles: JSONValue = ["minZoom": 3, "maxZoom": 3, "heat": true]
        let built = try files.build("a.mbtiles", [("bars", bars)], tiles: tiles)
        #expect(built.metadata.vectorLayers.map(\.id) == ["bars"])
        let findings = try Verification(of: built, threads: 2, isDeep: true).findings.all
        #expect(findings.isEmpty, "\(findings)")
    }

    @Test func `bounds of what a box cuts out hold legs to the world's edge`() throws {
        let line =
            #"{"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[180,10]}}"#
        let path = files.file("edge.geojsonl")
        try Array(repeating: line, count: 12).joined(separator: "\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
        let whole = try files.build(
            "edge.mbtiles", [("edge", path)], tiles: ["maxZoom": 4, "spread": 40])
        for (west, east) in [(100.0, 179.0), (-179, -100), (-170, 170)] {
            let (part, _) = try files.convert(whole, "part\(west).mbtiles") {
                let box = LonLatBox(west: west, south: -80, east: east, north: 80)
                $0.selection = TileSelection(box: box)
            }
            let findings = try Verification(of: part, threads: 2).findings.all
            #expect(findings.isEmpty, "\(findings)")
        }
    }

    @Test func `a layer that is called as what stands beside another is refused in any order`()
        throws
    {
        let points = try files.points("p", count: 60, seed: 1)
        let archives = try [
            files.build("a.mbtiles", [("bars", points)], tiles: ["maxZoom": 3, "heat": true]),
            files.build("b.mbtiles", [("inns", points)], tiles: ["maxZoom": 3]),
            files.build("c.mbtiles", [("bars_heat", points)], tiles: ["maxZoom": 3]),
        ]
        for order in [[0, 1, 2], [1, 2, 0], [2, 1, 0], [0, 2]] {
            let error = #expect(throws: ConversionError.self) {
                _ = try ArchiveJoin(
                    order.map { archives[$0] }, to: files.file("x.mbtiles"), in: MBTiles.self
                ).run()
            }
            #expect(
                error?.description.contains("the name of a companion of layer bars in ") == true)
        }
        _ = try ArchiveJoin(
            [archives[1], archives[2]], to: files.file("y.mbtiles"), in: MBTiles.self
        ).run()
    }

    @Test func `of a part the types of fields are those of its values, and words of others stay`()
        throws
    {
        let points = try files.points("p", count: 200, seed: 1)
        let whole = try files.build("a.mbtiles", [("p", points)], tiles: ["maxZoom": 3])
        let types = Dictionary(
            uniqueKeysWithValues: whole.metadata.vectorLayers[0].fields.map { ($0.name, $0.type) })
        #expect(types["n"] == "Number" && types["kind"] == "String")
        let database = try Database(path: whole.path, mode: .readWriteCreate)
        for (old, new) in [
            (#""kind":"String""#, #""kind":"Code""#), (#""n":"Number""#, #""n":"String""#),
        ] {
            try database.execute(
                "UPDATE metadata SET value = replace(value, '\(old)', '\(new)') WHERE name = 'json'"
            )
        }
        let (part, _) = try files.convert(Archive(path: whole.path), "b.mbtiles") {
            $0.selection = TileSelection(
                box: LonLatBox(west: -170, south: -80, east: 170, north: 80))
        }
        for field in part.metadata.vectorLayers[0].fields {
            #expect(
                field.type == (field.name == "kind" ? "Code" : types[field.name]), "\(field.name)")
        }
    }
}
