import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// Files that GDAL writes from random GeoJSON are read back equal with it.
@Suite(
    .enabled(if: runsTests(needing: Program.hasGDAL), "ogr2ogr (gdal-bin) is not installed"))
struct GDALTests {
    static let points: [ReadPoint] = {
        var random = SeededRandom(seed: 21)
        return (0..<300).map { number in
            let longitude = Double(Int(random.unit() * 36_000_000) - 18_000_000) / 100_000
            let latitude = Double(Int(random.unit() * 16_000_000) - 8_000_000) / 100_000
            var values: ReadPoint.Attributes = ["n": .integer(Int64(number))]
            if random.unit() < 0.8 { values["name"] = .text("Ort \(number) <ä&\"ß>") }
            if random.unit() < 0.8 { values["real"] = .number(Double(number) + 0.125) }
            return ReadPoint(longitude, latitude, values)
        }
    }()

    static let geoJSON: String = {
        let features = points.map { point in
            let properties = ["n", "name", "real"].map { name -> String in
                switch point.attributes[name] {
                case .text(let text)?:
                    "\"\(name)\":\"\(text.replacingOccurrences(of: "\"", with: "\\\""))\""
                case .number(let number)?: "\"\(name)\":\(number)"
                case .integer(let integer)?: "\"\(name)\":\(integer)"
                default: "\"\(name)\":null"
                }
            }
            return """
                {"type":"Feature","properties":{\(properties.joined(separator: ","))},"geometry":\
                {"type":"Point","coordinates":[\(point.x),\(point.y)]}}
                """
        }
        return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
    }()

    /// A format of GDAL's with its options, and what is read under which name.
    struct Target: CustomTestStringConvertible {
        var driver: String
        var file: String
        var options: [String] = []
        var numbersRows = false
        var testDescription: String { ([driver] + options).joined(separator: " ") }
    }

    static let targets = [
        Target(driver: "GPKG", file: "a.gpkg", numbersRows: true),
        Target(
            driver: "GPKG", file: "a.gpkg", options: ["-t_srs", "EPSG:3857"], numbersRows: true),
        Target(driver: "SQLite", file: "a.sqlite", numbersRows: true),
        Target(driver: "SQLite", file: "a.db", options: ["-lco", "FORMAT=WKT"], numbersRows: true),
        Target(driver: "FlatGeobuf", file: "a.fgb"),
        Target(driver: "FlatGeobuf", file: "a.fgb", options: ["-lco", "SPATIAL_INDEX=NO"]),
        Target(driver: "FlatGeobuf", file: "a.fgb", options: ["-t_srs", "EPSG:3857"]),
        Target(driver: "GPX", file: "a.gpx", options: ["-dsco", "GPX_USE_EXTENSIONS=YES"]),
    ]

    static func number(_ point: ReadPoint) -> Int64 {
        if case .integer(let number)? = point.attributes["n"] { number } else { -1 }
    }

    @Test(arguments: targets)
    func `a file holds what the GeoJSON held`(target: Target) throws {
        try withFile(Array(Self.geoJSON.utf8), named: "a.geojson") { source throws in
            let folder = URL(filePath: source).deletingLastPathComponent()
            let file = folder.appending(path: target.file).path
            let words = ["ogr2ogr", "-f", target.driver] + target.options + [file, source]
            #expect(try Program.run(words))
            let (points, report) = try Samples.read(path: file)
            let sorted = points.sorted { Self.number($0) < Self.number($1) }
            var expected = Self.points
            if target.numbersRows {
                for row in expected.indices { expected[row].id = UInt64(row) + 1 }
            }
            #expect(sorted == expected)
            #expect(report.records == 300 && report.kept == 300 && report.points == 300)
            #expect(try Samples.read(path: source).points == Self.points)
        }
    }

    @Test func `systems that are not read are refused by name`() throws {
        for file in ["a.gpkg", "a.fgb"] {
            try withFile(Array(Self.geoJSON.utf8), named: "a.geojson") { source throws in
                let path = URL(filePath: source).deletingLastPathComponent().appending(path: file)
                let words = ["ogr2ogr", "-a_srs", "EPSG:32632", path.path, source]
                #expect(try Program.run(words))
                let error = #expect(throws: InputError.self) {
                    try Samples.read(path: path.path)
                }
                #expect(error?.description.contains("EPSG:32632") == true)
            }
        }
    }
}
