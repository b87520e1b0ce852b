import ArchiveContract
import ClusterQueries
import Foundation
import JSON
import Testing
import VectorTile

@testable import TileService

/// What a style takes from tiles: of which places, and of which layers.
struct TileSampleTests {
    private typealias Point = (x: Int32, y: Int32, count: UInt64?)

    private static func tile(_ points: [Point], layer: String = "a") -> [UInt8] {
        var builder = TileBuilder()
        builder.beginLayer(layer, extent: 4_096)
        let key = builder.key("point_count")
        for (number, point) in points.enumerated() {
            builder.beginPoint(id: UInt64(number), x: point.x, y: point.y)
            if let count = point.count { builder.addTag(key, .uint(count)) }
            builder.endFeature()
        }
        builder.endLayer()
        return builder.copyBytes()
    }

    /// How strong heat is drawn of tiles of zoom 2.
    private static func strength(_ tiles: [(x: Int, y: Int, points: [Point])]) throws -> Double {
        let folder = try SampleFolder()
        try folder.writeForeign(
            "a.mbtiles",
            metadata: [
                "name": "a", "format": "pbf", "minzoom": "2", "maxzoom": "2",
                "json": EdgeTests.layer,
            ], tiles: tiles.map { (2, $0.x, 3 - $0.y, tile($0.points + [(0, 4_095, 2)])) })
        let style = try folder.service().json("/a/style.json")
        let heat = try style.required("layers").elements.first {
            try $0.required("id").string == "a/a-heat"
        }
        return try #require(heat).required("paint").required("heatmap-intensity").number
    }

    @Test func `points are as near across the edges of tiles as they are on the map`() throws {
        // A tile is 512 pixels wide, and 75 pixels are three deviations.
        func expected(_ pixels: Double) -> Double {
            let heat = 0.3989422804 * (1_000 + 1_000 * exp(-4.5 * pow(pixels / 75, 2)))
            return 1 / heat
        }
        let (near, far): (Point, Point) = ((4_080, 2_000, 1_000), (16, 2_000, 1_000))
        let across = try Self.strength([(1, 2, [near]), (2, 2, [far])])
        // 32 units are four pixels.
        #expect(abs(across / expected(4) - 1) < 1e-3)
        let (upper, lower): (Point, Point) = ((2_000, 4_040, 1_000), (2_000, 72, 1_000))
        let below = try Self.strength([(3, 0, [upper]), (3, 1, [lower])])
        #expect(abs(below / expected(16) - 1) < 1e-3)
        // One column and one row on they are far apart.
        for tiles in [
            [(0, 2, [near]), (2, 2, [far])], [(1, 1, [near]), (2, 2, [far])],
            [(3, 0, [upper]), (3, 2, [lower])], [(2, 0, [upper]), (3, 1, [lower])],
        ] as [[(x: Int, y: Int, points: [Point])]] {
            let apart = try Self.strength(tiles)
            #expect(abs(apart * 1_000 * 0.3989422804 - 1) < 1e-3)
        }
    }

    @Test func `what lies in the margin of a tile is counted where it is, once`() throws {
        for outside in [(-1, 9), (9, -1), (4_096, 9), (9, 4_096)] as [(Int32, Int32)] {
            let strength = try Self.strength([
                (1, 1, [(9, 9, 100), (outside.0, outside.1, 5_000)])
            ])
            #expect(abs(strength * 100 * 0.3989422804 - 1) < 1e-3, "\(outside)")
        }
        // The edges on the west and north belong to the tile; without a count it is one point.
        for inside in [(0, 9), (9, 0), (4_095, 9)] as [(Int32, Int32)] {
            let strength = try Self.strength([(1, 1, [(inside.0, inside.1, 5_000)])])
            #expect(abs(strength * 5_000 * 0.3989422804 - 1) < 1e-3, "\(inside)")
        }
    }

    @Test func `the densest of many places is found wherever it stands among them`() {
        // 64 places are looked at, and those are the ones with the largest counts.
        var weights = (0..<200).map {
            TileFeatures.Weight(x: Double($0) * 1_000, y: 0, count: 1 + Double($0 % 7))
        }
        weights[150].count = 50
        var scale = HeatScale(finer: nil, spacing: RadiusByZoom(40))
        scale.include(weights, at: 3)
        #expect(scale.peaks.count == 1)
        #expect(abs((scale.peaks.first?.density ?? 0) - 50 * 0.3989422804) < 1e-6)
    }

    @Test(arguments: [1, 2, 7])
    func `one layer has its colours by count, and of several each has its hue`(count: Int) throws {
        let folder = try SampleFolder()
        let names = (0..<count).map { "l\($0)" }
        let layers = names.map { #"{"id":"\#($0)","fields":{}}"# }.joined(separator: ",")
        try folder.writeForeign(
            "a.mbtiles",
            metadata: [
                "name": "a", "format": "pbf", "minzoom": "0", "maxzoom": "0",
                "json": #"{"vector_layers":[\#(layers)]}"#,
            ], tiles: [(0, 0, 0, EdgeTests.tile(counting: 9, layers: names))])
        let style = try folder.service().json("/a/style.json").required("layers").elements
        for (index, name) in names.enumerated() {
            func color(_ role: String) throws -> JSONValue? {
                try style.first { try $0.required("id").string == "a/\(name)-\(role)" }?
                    .required("paint").required("circle-color").value
            }
            let hue = count == 1 ? CountSteps.colors : CountSteps.hues[index % 6]
            let single = count == 1 ? "#c2571a" : hue[0]
            #expect(try color("points") == .string(single))
            let clusters = try color("clusters")?.asArray?.compactMap(\.asString).filter {
                $0.hasPrefix("#")
            }
            #expect(clusters == hue)
        }
    }
}
