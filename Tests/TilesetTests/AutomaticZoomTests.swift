import Foundation
import Geometry
import JSON
import Testing

/// The deepest zoom, where the data decide.
struct AutomaticZoomTests {
    static let landmarks = [(2.2945, 48.8584), (-0.1246, 51.5007), (12.4922, 41.8902)].map {
        SamplePoint(place: LonLat(longitude: $0.0, latitude: $0.1))
    }

    /// The distance on the ground between where a point is and where MapLibre GL JS draws it.
    static func distance(_ feature: DrawnFeature, from position: LonLat) -> Double {
        // It keeps 8,192 units a tile: `Math.round(x * 8192 / extent)`.
        func drawn(_ local: Int, _ tile: UInt32) -> Double {
            let unit = (Double(local) * 8_192 / Double(feature.extent) + 0.5).rounded(.down)
            return (Double(tile) + unit / 8_192) / pow(2, Double(feature.tile.z))
        }
        let here = WorldPoint(position)
        let dx = drawn(feature.x, feature.tile.x) - here.x
        let dy = drawn(feature.y, feature.tile.y) - here.y
        return (dx * dx + dy * dy).squareRoot() * 40_075_016.7
            * cos(position.latitude * .pi / 180)
    }

    /// How far off the worst of some points is drawn at the deepest zoom.
    static func worst(_ points: [SamplePoint], _ baked: BakedArchive) -> Double {
        let deepest = baked.report.zooms.last?.zoom ?? 0
        let features = baked.nodes(at: deepest)
        return points.map { point in
            features.map { distance($0, from: point.place) }.min() ?? .infinity
        }.max() ?? 0
    }

    @Test(arguments: [(nil, 10), (100, 100), (1, 1), (0.2, 0.2), (20_000, 20_000)])
    func `every point is drawn as precisely as was asked for`(
        asked: Double?, metres: Double
    ) throws {
        let tiles: JSONValue = asked.map { ["precision": JSONValue(canonical: $0)] } ?? [:]
        let baked = try BakedArchive(Self.landmarks, tiles: tiles)
        #expect(Self.worst(Self.landmarks, baked) <= metres)
    }

    @Test func `no zoom is deeper than precision, limits and markers ask for`() throws {
        // At the latitude of Rome: 11.4 m at zoom 8, 5.7 at zoom 9; at the equator 7.7 at zoom 9.
        #expect(try BakedArchive(Self.landmarks).report.zooms.map(\.zoom) == Array(0...9))
        let coarse = try BakedArchive(Self.landmarks, tiles: ["precision": 12])
        #expect(coarse.report.zooms.last?.zoom == 8)
        let equator = [SamplePoint(place: LonLat(longitude: 0.1, latitude: 0))]
        #expect(
            try BakedArchive(equator, tiles: ["precision": 7.7]).report.zooms.last?.zoom == 9)
        #expect(
            try BakedArchive(equator, tiles: ["precision": 7.6]).report.zooms.last?.zoom == 10)
        // With coarser units than MapLibre's, those of the tile count.
        #expect(
            try BakedArchive(equator, tiles: ["precision": 7.7, "extent": 256])
                .report.zooms.last?.zoom == 14)
    }

    @Test func `a clustered layer has a zoom at which its points are shown`() throws {
        let baked = try BakedArchive(
            Self.landmarks, tiles: ["precision": 1_000_000, "minZoom": 4])
        #expect(baked.report.zooms.map(\.zoom) == [4, 5])
        #expect(
            try BakedArchive(
                Self.landmarks, tiles: ["precision": 1_000_000]
            ).report.zooms.last?.zoom == 1)
    }

    /// Two points in each tile of zoom 6, which markers tell apart at zoom 7.
    @Test func `as many tiles as cost nothing are not too many`() throws {
        let side = 64
        let points = (0..<side * side).flatMap { tile in
            [0.3, 0.7].map { within in
                // Two cells of zoom 11 that lie in one of zoom 10.
                let x = (Double(tile % side) + 0.5 + within / 16) / Double(side)
                let y = (Double(tile / side) + 0.5 + 0.3 / 16) / Double(side)
                return SamplePoint(place: WorldPoint(x: x, y: y).lonLat)
            }
        }
        let baked = try BakedArchive(
            points, layer: ["clusters": false], tiles: ["precision": 1_000_000])
        #expect(baked.report.zooms.last?.zoom == 7)
    }

    @Test func `the reason says what is so`() throws {
        let apart = try BakedArchive(Self.landmarks).report.zoomReason
        #expect(
            apart
                == "deepest zoom 9 (auto): maps draw its points within 5.7 m of where they are; "
                + "its fullest tile holds 1 point; markers mostly stand apart there")
        let together = (0..<4).flatMap { _ in Self.landmarks }
        let reason = try BakedArchive(together).report.zoomReason
        #expect(
            reason.hasSuffix(
                "its fullest tile holds 4 points; its 12 points are at 3 positions"),
            "\(reason)")
    }

    @Test func `a zoom that was asked for is told with its precision`() throws {
        func reason(_ tiles: JSONValue) throws -> String {
            try BakedArchive(Self.landmarks, tiles: tiles).report.zoomReason
        }
        let coarse = "deepest zoom 3 (as asked): maps draw its points within "
        #expect(
            try reason(["maxZoom": 3])
                == coarse + "363 m of where they are; zoom 9 would keep within 10 m")
        #expect(
            try reason(["maxZoom": 9])
                == "deepest zoom 9 (as asked): maps draw its points within 5.7 m of where they are")
    }
}
