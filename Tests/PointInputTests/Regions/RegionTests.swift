import Expressions
import Foundation
import JSON
import PointInput
import Points
import TestSupport
import Testing

/// Points that get the name of the area in which they lie.
struct RegionTests {
    static func area(_ name: String, _ west: Double, _ east: Double) -> String {
        let ring = "[[\(west),-10],[\(east),-10],[\(east),10],[\(west),10],[\(west),-10]]"
        return "{\"type\":\"Feature\",\"properties\":{\"n\":\"\(name)\",\"name\":\"\(name)!\"},"
            + "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[\(ring)]}}"
    }

    /// Three regions, one of them in two parts, and a hole.
    static let areas = [
        area("west", -20, 0), area("east", 0, 20), area("west", 40, 50),
        #"{"type":"Feature","properties":{"n":"ring","name":"r"},"geometry":{"type":"MultiPolygon","#
            + #""coordinates":[[[[60,0],[70,0],[70,10],[60,10],[60,0]],"#
            + #"[[64,4],[66,4],[66,6],[64,6],[64,4]]],[[[80,0],[81,0],[81,1],[80,0]]]]}}"#,
    ].joined(separator: "\n")

    static let csv = "lon,lat,region\n-5,0,own\n0,0,own\n5,0,\n45,5,\n65,5,\n61,5,\n-170,80,own\n"

    static func regions(
        _ text: String = areas, ending: String = "geojsonl", name: String = "n"
    ) throws -> Regions {
        let file = TemporaryFile(Data(text.utf8), ending: ending)
        defer { file.remove() }
        return try Regions(
            reading: .file(file.path, named: "areas.\(ending)"), name: name, options: InputOptions()
        )
    }

    static func read(
        _ text: String, _ change: (inout InputOptions) throws -> Void = { _ in }
    ) throws -> (points: [ReadPoint], report: InputReport) {
        var options = InputOptions()
        options.regions = try regions()
        try change(&options)
        let (table, report) = try PointTable.read(
            bytes: Array(text.utf8), named: "t", options: options)
        return (table.readPoints, report)
    }

    static let found: [AttributeValue?] = [
        .text("west"), .text("east"), .text("east"), .text("west"), nil, .text("ring"), nil,
    ]

    @Test func `a point gets the region that it lies in, in place of its own`() throws {
        for (pieceSize, threads) in [(1, 1), (16, 3), (1 << 16, 2)] {
            let (points, report) = try Self.read(Self.csv) {
                ($0.pieceSize, $0.threads) = (pieceSize, threads)
            }
            #expect(points.map { $0.attributes["region"] } == Self.found)
            #expect(
                report.regions
                    == RegionTally(regions: ["west": 2, "east": 2, "ring": 1], outside: 2))
            #expect(report.notes.filter { $0.contains("gives way to the region") }.count == 1)
            #expect(report.notes.contains { $0.contains("lie in, of 3;") })
        }
        let (points, report) = try Self.read(Self.csv) { $0.excluded = ["region"] }
        #expect(
            points.map { $0.attributes["region"] } == Self.found
                && !report.notes.contains { $0.contains("gives way") })
    }

    @Test func `points of one record may lie in several regions`() throws {
        let text = #"{"type":"MultiPoint","coordinates":[[-5,0],[5,0],[30,0],[45,1]]}"#
        let (points, report) = try Self.read(text)
        #expect(
            points.map { $0.attributes["region"] } == [
                .text("west"), .text("east"), nil, .text("west"),
            ])
        #expect(report.regions?.outside == 1 && report.regions?.regions["west"] == 2)
        let broken = #"{"type":"MultiPoint","coordinates":[[-5,0],[5,95]]}"#
        let (none, counted) = try Self.read(broken + "\n" + text) { $0.tolerance = .all }
        #expect(none.count == 4 && counted.regions == report.regions)
    }

    @Test func `longitudes that go on counting are around the globe`() throws {
        let (points, report) = try Self.read("lon,lat\n355,0\n-355,0\n365,0\n-540,0\n540,0\n")
        #expect(
            points.map { $0.attributes["region"] } == [
                .text("west"), .text("east"), .text("east"), nil, nil,
            ])
        #expect(report.regions?.outside == 2)
    }

    @Test func `points that are left out are in no region's count`() throws {
        let filter = try Expression(parsing: ["==", "region", "own"], as: .filter)
        let (points, report) = try Self.read(Self.csv) { $0.filter = filter }
        #expect(points.count == 3)
        #expect(
            report.regions == RegionTally(regions: ["west": 1, "east": 1, "ring": 0], outside: 1))
        #expect(report.regions?.empty == ["ring"])
    }

    @Test func `metres are where they are on the globe`() throws {
        let (points, _) = try Self.read("x,y\n-556597,0\n556597,0\n") {
            ($0.crs, $0.xColumn, $0.yColumn) = (.webMercator, "x", "y")
        }
        #expect(points.map { $0.attributes["region"] } == [.text("west"), .text("east")])
    }

    @Test func `a table of outlines is regions as well`() throws {
        let table =
            "n;wkt\nwest;POLYGON ((-20 -10, 0 -10, 0 10, -20 10))\n"
            + "east;MULTIPOLYGON (((0 -10, 20 -10, 20 10, 0 10)), ((40 0, 50 0, 50 10, 40 10)))\n"
        let (points, _) = try Self.read(Self.csv) {
            $0.regions = try Self.regions(table, ending: "csv")
        }
        #expect(
            points.map { $0.attributes["region"] } == [
                .text("west"), .text("east"), .text("east"), .text("east"), nil, nil, nil,
            ])
    }

    @Test(
        .enabled(if: runsTests(needing: Program.hasGDAL), "ogr2ogr (gdal-bin) is not installed"),
        arguments: ["GPKG gpkg", "FlatGeobuf fgb", "ESRI Shapefile shp", "GeoJSON geojson"])
    func `regions come in any format`(target: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "covey-regions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("areas.geojsonl").path
        try Self.areas.write(toFile: source, atomically: true, encoding: .utf8)
        let split = target.lastIndex(of: " ")!
        let path = folder.appendingPathComponent("out.\(target[split...].dropFirst())").path
        #expect(
            try Program.run([
                "ogr2ogr", "-f", String(target[..<split]), "-nlt", "MULTIPOLYGON", path, source,
            ]))
        let (points, _) = try Self.read(Self.csv) {
            $0.regions = try Regions(reading: .file(path), name: "n", options: InputOptions())
        }
        #expect(points.map { $0.attributes["region"] } == Self.found)
    }

    static func complaint(_ text: String, name: String = "n") -> String {
        do {
            _ = try regions(text, name: name)
            return "none"
        } catch { return "\(error)" }
    }

    @Test func `what is no region is said to be none`() {
        let point =
            #"{"type":"Feature","properties":{"n":"p"},"geometry":{"type":"Point","coordinates":[1,2]}}"#
        #expect(Self.complaint(point).contains("areas"))
        #expect(Self.complaint(Self.areas + "\n" + point).contains("not all of it is areas"))
        let points = point.replacingOccurrences(of: "Point", with: "MultiPoint")
            .replacingOccurrences(of: "[1,2]", with: "[[1,2],[3,4],[5,6]]")
        #expect(
            Self.complaint(points + "\n" + Self.areas).contains("is no area; regions are polygons"))
        let endless = Self.areas.replacingOccurrences(of: "[80,0]", with: "[1e999,0]")
        #expect(Self.complaint(endless).contains("areas"))
        let line = #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#
        #expect(Self.complaint(Self.areas + "\n" + line).contains("areas"))
        #expect(Self.complaint("").contains("areas"))
        #expect(Self.complaint(Self.areas, name: "m").contains("no column m"))
        let nameless = Self.areas.replacingOccurrences(of: #""n":"east""#, with: #""k":1"#)
        #expect(Self.complaint(nameless).contains("without n, number 2"))
        let far = Self.areas.replacingOccurrences(of: "[80,0]", with: "[80,95]")
        #expect(Self.complaint(far).contains("latitude 95"))
    }
}
