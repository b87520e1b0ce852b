import Geometry
import JSON
import Points
import TestSupport
import Testing

@testable import PointInput
@testable import Tileset

/// A report for machines, each number another; and what does not depend on the order of points.
struct ReportJSONTests {
    @Test func `a layer and a zoom have each number under its name`() throws {
        var report = BuildReport()
        var input = InputReport(
            records: 11, kept: 12, points: 13, rejected: [.syntax: 14, .notAFeature: 15],
            notes: ["n"], regions: RegionTally(regions: ["b": 16, "a": 0], outside: 17))
        input.duplicates = 18
        var layer = BuildReport.Layer(name: "a", input: input, points: 19, clusters: 20)
        layer.heldClusters = 21
        layer.skippedValues = [("s", 22)]
        layer.bins = (23, 24)
        report.layers = [layer]
        var zoom = BuildReport.Zoom(zoom: 3)
        (zoom.tiles, zoom.bytes, zoom.points, zoom.clusters) = (31, 32, 33, 34)
        (zoom.pointCount, zoom.largestCluster) = (35, 36)
        report.zooms = [zoom]
        let object = try #require(report.json.asObject)
        #expect(
            object["layers"] == [
                [
                    "name": "a", "records": 11, "kept": 12, "points_read": 13, "points": 19,
                    "clusters": 20,
                    "held_clusters": 21, "rejected": ["not_a_feature": 15, "syntax": 14],
                    "duplicates": 18, "notes": ["n"], "skipped_values": ["s": 22],
                    "regions": ["points": ["a": 0, "b": 16], "outside": 17], "bins": 23,
                    "bins_max_zoom": 24,
                ]
            ])
        #expect(
            object["zooms"] == [
                [
                    "zoom": 3, "tiles": 31, "tile_bytes": 32, "clusters": 34, "single_points": 33,
                    "point_count": 35, "largest_cluster": ["point_count": 36],
                ]
            ])
        #expect(RegionTally(object["layers"]?.asArray?[0].asObject?["regions"]) == input.regions)
    }

    @Test func `the whole has what there is, and nothing of what there is not`() throws {
        var report = BuildReport()
        let bare = try #require(report.json.asObject)
        #expect(
            Set(bare.members.map(\.key)) == [
                "tiles", "tile_bytes", "file_bytes", "layers", "zooms", "largest_tiles", "stages",
                "zoom_reason",
            ])
        var zooms = [BuildReport.Zoom(zoom: 1), BuildReport.Zoom(zoom: 2)]
        (zooms[0].tiles, zooms[0].bytes, zooms[1].tiles, zooms[1].bytes) = (3, 50, 4, 600)
        report.zooms = zooms
        report.fileBytes = 7_000
        report.zoomReason = "because"
        report.clusterIDsMayEqualPointIDs = true
        report.leftOutTiles = [1: 2, 3: 40]
        report.largestTiles = [.init(tile: TileID(z: 2, x: 1, y: 3), bytes: 5, features: 6)]
        report.stages = [.init(stage: .tiles, seconds: 1.23456, peakBytes: 99)]
        report.bounds = LonLatBox(west: 1, south: 2, east: 3, north: 4.5)
        report.center = LonLat(longitude: 5.5, latitude: 6)
        let object = try #require(report.json.asObject)
        #expect(
            object["tiles"] == 7 && object["tile_bytes"] == 650 && object["file_bytes"] == 7_000)
        #expect(
            object["zoom_reason"] == "because" && object["cluster_ids_may_equal_point_ids"] == true)
        #expect(object["left_out_tiles"] == 42)
        #expect(object["largest_tiles"] == [["tile": "2/1/3", "bytes": 5, "features": 6]])
        #expect(
            object["stages"] == [["stage": "tiles", "seconds": 1.2346, "peak_bytes": 99]])
        #expect(object["bounds"]?.asArray?.map(\.asNumber) == [1, 2, 3, 4.5])
        #expect(object["center"]?.asArray?.map(\.asNumber) == [5.5, 6])
        #expect(report.deepestZoom == 2)
    }

    @Test func `reasons are spelled as all keys are, each another`() {
        let keys = RejectReason.allCases.map(\.key)
        #expect(Set(keys).count == RejectReason.allCases.count)
        #expect(keys.allSatisfy { $0.wholeMatch(of: /[a-z0-9]+(_[a-z0-9]+)*/) != nil }, "\(keys)")
        for (reason, key) in [
            (.notAPoint, "not_a_point"), (.invalidUTF8, "invalid_utf8"), (.syntax, "syntax"),
        ] as [(RejectReason, String)] {
            #expect(reason.key == key)
        }
    }

    @Test(arguments: [(0.0, 0.0), (0.01, 0.1), (12.3, 12.3), (12.31, 12.4), (12.39, 12.4)])
    func `how far points are drawn apart is told in tenths of a metre, rounded up`(
        metres: Double, told: Double
    ) {
        var report = BuildReport()
        report.spreadMetres = metres
        #expect(report.json.asObject?["spread_metres"]?.asNumber == told)
    }

    /// Points that have nothing but their place, many in one row or column.
    @Test(arguments: 0..<4)
    func `how large a tile would be does not depend on the order of its points`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let places = (0..<300).map { _ in
            WorldPoint(
                x: Double(random.next() % (seed == 0 ? 4 : 900)) / 1_000_000,
                y: Double(random.next() % (seed == 1 ? 4 : 900)) / 1_000_000)
        }
        var sizes: Set<Int> = []
        for _ in 0..<6 {
            var (table, batch) = (PointTable(), PointBatch())
            for place in places.shuffled(using: &random) { batch.append(place) }
            table.append(batch)
            sizes.insert(
                SampleTile.bytes(of: table, named: "a", rows: Array(0..<300), compression: 6))
        }
        #expect(sizes.count == 1)
    }
}
