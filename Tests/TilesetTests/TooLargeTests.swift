import Foundation
import Geometry
import JSON
import Recipes
import TestSupport
import TileArchive
import Testing

@testable import Tileset

/// What readers would refuse is not written, in memory and in cells.
struct TooLargeTests {
    /// Points around a corner of tiles, each with an attribute of so many bytes.
    private static func points(_ count: Int, bytes: Int) -> [SamplePoint] {
        let text = String(repeating: "x", count: bytes)
        let places = [(0.5, 0.5), (-0.5, 0.5), (0.5, -0.5)]
        return places.prefix(count).enumerated().map { index, place in
            // Equal values are stored once.
            let properties = [("note\(index)", JSONValue.string("\(text)\(index)"))]
            return SamplePoint(
                place: LonLat(longitude: place.0, latitude: place.1), properties: properties)
        }
    }

    /// Builds an archive of these points, and opens it.
    private static func build(
        _ points: [SamplePoint], clusters: JSONValue = [:], tiles: JSONObject = [:],
        inCells: Bool = false
    ) throws -> (archive: Archive, report: BuildReport) {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        try points.map(\.line).joined(separator: "\n").write(
            to: folder.appending(path: "in.geojsonl"), atomically: true, encoding: .utf8)
        var tiles = tiles
        if tiles["maxZoom"] == nil { tiles["maxZoom"] = 5 }
        tiles["buffer"] = 0
        let recipe = try Recipe(
            reading: JSONNode([
                "tiles": .object(tiles),
                "layers": [["name": "p", "sources": ["in.geojsonl"], "clusters": clusters]],
            ]))
        var options = BuildOptions()
        options.sourceDirectory = folder.path
        if inCells { options.cells.zoom = 1 }
        let path = folder.appending(path: "out.mbtiles").path
        let report = try TilesetBuild(recipe, to: path, options: options).run()
        return (try Archive(path: path), report)
    }

    private static func error(_ body: () throws -> Void) -> String {
        do {
            try body()
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [false, true])
    func `a point that no answer can hold is named, with its attribute`(inCells: Bool) {
        let words = Self.error {
            _ = try Self.build(Self.points(1, bytes: 17 << 20), inCells: inCells)
        }
        let point = "p: the point at [0.5,0.5] would take 18 MiB"
        #expect(words.hasPrefix(point), "\(words.prefix(200))")
        #expect(words.contains("\nmost of it is note0: leave that out (--exclude)"))
    }

    @Test(arguments: [false, true])
    func `a block of points is as large as readers take`(inCells: Bool) {
        let words = Self.error {
            _ = try Self.build(Self.points(3, bytes: 11 << 20), inCells: inCells)
        }
        #expect(words.hasPrefix("p: a block of 3 points around "), "\(words.prefix(200))")
        #expect(words.contains("would take 34 MiB, and readers take 32 MiB\n"))
    }

    @Test func `so is a tile`() {
        let words = Self.error {
            _ = try Self.build(Self.points(3, bytes: 11 << 20), clusters: false)
        }
        #expect(words.hasPrefix("tile 0/0/0 would take 34 MiB"), "\(words.prefix(200))")
    }

    /// They compress to a thousandth, far below the limit of packed bytes.
    @Test func `points stay clustered where readers would refuse the tile`() throws {
        var points = Self.points(3, bytes: 11 << 20)
        for index in points.indices {
            points[index].place.longitude += 10
            points[index].place.latitude += 10
        }
        let built = try Self.build(
            points, clusters: ["maxZoom": 1],
            tiles: ["maxZoom": 3, "leaves": false, "maxBytes": 10_000_000])
        #expect(built.report.zooms.allSatisfy { $0.clusters == 1 && $0.points == 0 })
    }

    /// Points with twenty attributes of their own each, whose names are long.
    private static func points(names: Int) -> [SamplePoint] {
        let long = String(repeating: "k", count: 990)
        return (0..<names / 20).map { (index: Int) -> SamplePoint in
            var point = SamplePoint(
                place: LonLat(longitude: Double(index % 90), latitude: Double(index / 90)))
            for key in 0..<20 {
                point.properties.append(("\(long)\(20 * index + key)", .integer(1)))
            }
            return point
        }
    }

    @Test(arguments: [false, true])
    func `more names than metadata can list are refused before any work`(inCells: Bool) {
        let words = Self.error {
            _ = try Self.build(Self.points(names: 4_400), tiles: ["maxZoom": 1], inCells: inCells)
        }
        #expect(words.contains("4400 names of attributes make 44"), "\(words.prefix(200))")
    }

    @Test(arguments: [false, true])
    func `statistics make room for names`(inCells: Bool) throws {
        let metadata = try Self.build(
            Self.points(names: 4_000), tiles: ["maxZoom": 1], inCells: inCells
        ).archive.metadata
        #expect(metadata.tileStats == nil && metadata.vectorLayers[0].fields.count >= 4_000)
    }
}
