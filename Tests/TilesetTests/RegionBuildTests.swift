import Foundation
import Geometry
import JSON
import PointInput
import TestSupport
import Testing
import Tileset
import VectorTile

/// Regions in tiles: no cluster has points of two.
struct RegionBuildTests {
    /// Four squares about the middle of the world; nothing lies in the fifth region.
    private static let areas: [(name: String, west: Double, south: Double)] = [
        ("a", -40, -40), ("b", 0, -40), ("c", -40, 0), ("d", 0, 0), ("empty", 100, 60),
    ]

    private static func write(to path: String) throws {
        let lines = areas.map { name, west, south in
            let (east, north) = (
                west + (name == "empty" ? 1 : 40), south + (name == "empty" ? 1 : 40)
            )
            let ring =
                "[[\(west),\(south)],[\(east),\(south)],[\(east),\(north)],[\(west),\(north)]]"
            return "{\"type\":\"Feature\",\"properties\":{\"name\":\"\(name)\"},\"geometry\":"
                + "{\"type\":\"Polygon\",\"coordinates\":[\(ring)]}}"
        }
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Crowded where the four meet; some are on the very borders.
    private static func points(_ count: Int, seed: UInt64) -> [SamplePoint] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { index in
            let size = index % 10 == 0 ? 90.0 : 4.0
            let longitude = index % 17 == 0 ? 0 : (random.unit() - 0.5) * size
            let latitude = index % 13 == 0 ? 0 : (random.unit() - 0.5) * size
            return SamplePoint(
                place: LonLat(longitude: longitude, latitude: latitude),
                properties: [("n", .integer(Int64(index % 7)))])
        }
    }

    private static func region(of point: SamplePoint) -> String {
        let (x, y) = (point.place.longitude, point.place.latitude)
        return areas.dropLast().first { area in
            x >= area.west && x < area.west + 40 && y >= area.south && y < area.south + 40
        }?.name ?? ""
    }

    @Test func `each region's points are clustered among themselves, at every zoom`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("areas.geojsonl").path
        try Self.write(to: path)
        let points = Self.points(3_000, seed: 1)
        let baked = try BakedArchive(
            points,
            layer: ["regions": .string(path), "clusters": ["aggregates": ["sum": "sum:n"]]],
            tiles: ["maxZoom": 6])
        var expected: [String: Int] = [:]
        for point in points { expected[Self.region(of: point), default: 0] += 1 }
        for zoom in 0...6 as ClosedRange<UInt8> {
            var found: [String: Int] = [:]
            for node in baked.nodes(at: zoom) {
                var name = ""
                if case .string(let text)? = node.tags["region"] { name = text }
                found[name, default: 0] += node.pointCount
            }
            #expect(found == expected, "zoom \(zoom)")
        }
        let tally = try #require(baked.report.layers[0].input.regions)
        #expect(tally.outside == expected[""] && tally.empty == ["empty"])
        #expect(tally.regions["a"] == expected["a"] && tally.regions["d"] == expected["d"])
    }

    @Test func `a cut build writes the same bytes and the same counts`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("areas.geojsonl").path
        try Self.write(to: path)
        let builds = try CellBuildTests.Builds(
            [(Self.points(2_000, seed: 2), ["regions": .string(path)])], tiles: ["maxZoom": 7])
        let whole = try builds.build("whole.mbtiles")
        var cells = CellOptions()
        cells.zoom = 2
        let cut = try builds.build("cut.mbtiles", cells)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
        #expect(whole.layers[0].input.regions == cut.layers[0].input.regions)
        #expect((whole.layers[0].input.regions?.outside ?? 0) > 0)
    }
}
