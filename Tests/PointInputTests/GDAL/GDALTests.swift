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
        Target(driver: "ESRI Shapefile", file: "a.shp", numbersRows: false),
        Target(driver: "ESRI Shapefile", file: "a.shz"),
        Target(driver: "GML", file: "a.gml"),
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
            let (points, report) = try Samples.read(path: file) {
                $0.excluded = ["gml_id", "ogc_fid"]
            }
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

    @Test func `positions have all digits`() throws {
        let places = (0..<50).map { number in (Double(number) / 0.3 - 90.1, Double(number) / 7) }
        let csv = "lon,lat\n" + places.map { "\($0.0),\($0.1)\n" }.joined()
        try withFile(Array(csv.utf8), named: "a.csv") { source throws in
            let file = URL(filePath: source).deletingLastPathComponent().appending(path: "a.shp")
                .path
            #expect(
                try Program.run([
                    "ogr2ogr", "-oo", "X_POSSIBLE_NAMES=lon", "-oo", "Y_POSSIBLE_NAMES=lat", file,
                    source,
                ]))
            // Those read are rounded to nine decimals.
            let found = try Samples.read(path: file).points
            for (point, place) in zip(found, places) {
                #expect(abs(point.x - place.0) < 1e-9 && abs(point.y - place.1) < 1e-9)
            }
            #expect(found.count == places.count)
        }
    }

    /// Systems of all kinds, and a box of degrees in which each is at home.
    static let systems: [(code: Int, west: Double, south: Double, east: Double, north: Double)] = [
        (25832, 7, 47, 11, 54), (31467, 7.6, 47.6, 10.4, 54.8), (2154, -4, 43, 7, 50),
        (27700, -5, 50.5, 1, 58), (2056, 6.2, 46, 10, 47.6), (28992, 3.6, 51, 7, 53.4),
        (3035, -9, 37, 30, 65), (5070, -120, 26, -70, 48), (26910, -125, 33, -121, 48),
        (2263, -74.2, 40.5, -73.5, 41), (3347, -130, 45, -60, 65), (3577, 115, -40, 150, -12),
        (7855, 145, -43, 149, -12), (2193, 167, -46, 178, -35), (6677, 139, 35, 140.7, 37),
        (5880, -70, -30, -40, 0), (2180, 14.5, 49.2, 24, 54.6), (3006, 11, 55.5, 23, 69),
        (5514, 12.3, 48.7, 18.7, 51), (32733, 12.5, -30, 17.5, -1), (3031, -170, -85, 170, -65),
        (3413, -80, 62, 10, 85), (4267, -120, 30, -80, 45), (3857, -180, -85, 180, 85),
    ]

    @Test(arguments: systems)
    func `a system's places are GDAL's to a millimetre`(
        system: (code: Int, west: Double, south: Double, east: Double, north: Double)
    ) throws {
        let places = (0..<20).map { number in
            let part = Double(number) / 19
            return (
                system.west + part * (system.east - system.west),
                system.south + (part * 7).truncatingRemainder(dividingBy: 1)
                    * (system.north - system.south)
            )
        }
        let csv = "lon,lat\n" + places.map { "\($0.0),\($0.1)\n" }.joined()
        try withFile(Array(csv.utf8), named: "a.csv") { source throws in
            let folder = URL(filePath: source).deletingLastPathComponent()
            let projected = folder.appending(path: "a.fgb").path
            let back = folder.appending(path: "b.geojson").path
            let words = ["ogr2ogr", "-oo", "X_POSSIBLE_NAMES=lon", "-oo", "Y_POSSIBLE_NAMES=lat"]
            #expect(
                try Program.run(
                    words + [
                        "-s_srs", "EPSG:4326", "-t_srs", "EPSG:\(system.code)", "-lco",
                        "SPATIAL_INDEX=NO", projected, source,
                    ]))
            #expect(
                try Program.run(
                    [
                        "ogr2ogr", "-t_srs", "EPSG:4326", "-lco", "COORDINATE_PRECISION=12", back,
                        projected,
                    ]))
            let ours = try Samples.read(path: projected).points
            let theirs = try Samples.read(path: back).points
            #expect(ours.count == 20 && theirs.count == 20)
            for (our, their) in zip(ours, theirs) {
                // A degree of latitude is 111 km.
                let east = (our.x - their.x) * cos(their.y * .pi / 180) * 111_320
                let north = (our.y - their.y) * 111_320
                #expect(hypot(east, north) < 0.001, "\(our.x) \(our.y), \(their.x) \(their.y)")
            }
        }
    }

    @Test func `systems that PROJ does not know are refused by name`() throws {
        let wkt =
            #"PROJCS["mine",GEOGCS["other",DATUM["none",SPHEROID["s",1,0]]],PROJECTION["no"]]"#
        let error = #expect(throws: InputError.self) {
            var options = InputOptions()
            options.crs = CoordinateSystem(declared: wkt)
            _ = try PointTable.read([], options: options)
        }
        #expect(error?.description.contains("mine") == true)
    }
}
