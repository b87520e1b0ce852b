import Foundation
import Geometry
import JSON
import TestSupport
import TileArchive
import Testing

@testable import Tileset

/// Options that say something of points or tiles beyond a cell's edge, or above the cut.
struct CellOptionTests {
    private static func at(_ x: Double, _ y: Double) -> SamplePoint {
        SamplePoint(place: WorldPoint(x: x, y: y).lonLat, properties: [("n", .integer(3))])
    }

    private static func compare(
        _ points: [SamplePoint], clusters: JSONValue, tiles: JSONValue, cellZooms: [Int]
    ) throws -> BuildReport {
        let builds = try CellBuildTests.Builds([(points, ["clusters": clusters])], tiles: tiles)
        let whole = try builds.build("whole.mbtiles")
        for zoom in cellZooms {
            var cells = CellOptions()
            cells.zoom = zoom
            cells.margin = 0
            let cut = try builds.build("cut.mbtiles", cells)
            let isSame = try builds.areSame("whole.mbtiles", "cut.mbtiles")
            #expect(isSame, "cells of zoom \(zoom)")
            #expect(cut.leftOutTiles == whole.leftOutTiles)
            #expect(cut.zoomReason == whole.zoomReason && cut.spreadMetres == whole.spreadMetres)
        }
        return whole
    }

    /// Places beside the edges of cells, whose points are drawn on the other side.
    @Test func `points drawn apart go over the edges of cells`() throws {
        let places = [(0.5, 0.5), (0.4999999, 0.3), (0.25, 0.500001), (0.75, 0.4), (0, 0.6)]
        let points = places.flatMap { x, y in (0..<9).map { _ in Self.at(x, y) } }
        let report = try Self.compare(
            points, clusters: ["radius": 30], tiles: ["maxZoom": 5, "spread": 40, "buffer": 0],
            cellZooms: [1, 2])
        #expect(report.layers[0].points == 45 && report.spreadMetres ?? 0 > 100_000)
    }

    @Test func `cells of a build whose zooms have no clusters are refused with what helps`() throws
    {
        let builds = try CellBuildTests.Builds(
            [([Self.at(0.2, 0.3), Self.at(0.2001, 0.3)], [:])], tiles: ["minZoom": 4, "maxZoom": 4])
        var cells = CellOptions()
        cells.zoom = 2
        let error = #expect(throws: JobError.self) { try builds.build("cut.mbtiles", cells) }
        let text = try #require(error?.description)
        #expect(text.contains("clusters would end at zoom 3, and tiles begin at zoom 4"))
        #expect(text.contains("without --cell-zoom") && !text.contains("more memory"))
    }

    /// Points that no zoom takes together are drawn apart above the cut, too.
    @Test func `points that stay loose are drawn apart at all zooms`() throws {
        let points = (0..<40).map { Self.at(0.1 + 0.02 * Double($0 % 20), 0.4) }
        _ = try Self.compare(
            points, clusters: ["radius": 10, "minPoints": 5],
            tiles: ["maxZoom": 6, "spread": 40], cellZooms: [1])
    }

    @Test func `tiles are left out across the cut and beside the edges of cells`() throws {
        var random = SeededRandom(seed: 3)
        let points = (0..<60).map { number in
            // Many so near to an edge that rounding brings them over it.
            let edge = Double(random.next() % 8) / 8 + [0, 1e-9, -1e-9, 1e-6][number % 4]
            return number % 3 == 0
                ? Self.at(abs(edge), random.unit()) : Self.at(random.unit(), random.unit())
        }
        let report = try Self.compare(
            points, clusters: ["radius": 40, "maxZoom": 3],
            tiles: ["maxZoom": 6, "variableDepth": true], cellZooms: [1])
        #expect(report.leftOutTiles.values.reduce(0, +) > 20)
    }

    @Test(
        arguments: [
            (["position": "nearest"], "'nearest'"),
            (["fields": ["bbox", "parent", "parent_dx"]], "(parent, parent_dx)"),
            (["order": "input"], "'input'"),
        ] as [(JSONObject, String)])
    func `what a cell cannot know of what it hands up is refused before points are read`(
        clusters: JSONObject, named: String
    ) throws {
        let builds = try CellBuildTests.Builds(
            [([Self.at(0.2, 0.3), Self.at(0.7, 0.3)], ["clusters": .object(clusters)])],
            tiles: ["maxZoom": 6])
        var cells = CellOptions()
        cells.zoom = 1
        let error = #expect(throws: JobError.self) { try builds.build("cut.mbtiles", cells) }
        #expect(error?.description.contains(named) == true)
        #expect(try builds.build("whole.mbtiles").layers[0].points == 2)
    }
}
