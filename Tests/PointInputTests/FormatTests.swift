import Foundation
import PointInput
import Points
import Testing

/// Which reader an input gets.
struct FormatTests {
    static let feature: String =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}"#

    @Test(arguments: ["a.csv", "a.gml", "a.gpkg", "a.fgb", "a", "a.csv.gz"])
    func `content goes before the name`(name: String) throws {
        #expect(try Reading(Self.feature, name: name).table.count == 1)
        for sample in ["kinds.gpkg", "kinds.fgb"] {
            let bytes = Array(try Data(contentsOf: URL(filePath: Samples.path(sample))))
            let (points, _) = try withFile(bytes, named: name) { try Samples.read(path: $0) }
            #expect(points.count == (try Samples.read(sample).points.count) && points.count > 0)
        }
    }

    @Test func `the name decides where the content could be anything`() throws {
        let text = "lon,lat\n1,2\n"
        for name in ["a.csv", "a.tsv", "A.CSV", "a.csv.gz", "b.x.csv"] {
            #expect(try Reading(text, name: name).table.count == 1, "\(name)")
        }
    }

    @Test(arguments: ["", "f", "fgb", "fgb\u{3}fg", "SQLite", "<", "{", "\u{1F}\u{8B}"])
    func `a start too short to tell anything is refused, whatever it is the start of`(
        start: String
    ) throws {
        let bytes = start == "\u{1F}\u{8B}" ? [0x1F, 0x8B] : Array(start.utf8)
        #expect(throws: InputError.self) {
            try withFile(bytes, named: "a") { try Samples.read(path: $0) }
        }
    }

    @Test func `the option overrides both`() throws {
        let text = "{\"a\":1},lon,lat\n{x},1,2\n"
        #expect(complaint(about: text, name: "a.geojson") != nil)
        #expect(try read(text, as: .csv, name: "a.geojson").table.count == 1)
        #expect(try read(Self.feature, as: .geoJSON, name: "a.csv").table.count == 1)
        for format in InputFormat.allCases where ![.csv, .gdal].contains(format) {
            let answer = complaint(about: "lon,lat\n1,2\n", name: "a.csv") { $0.format = format }
            #expect(answer?.contains("\n") == true, "\(format): \(answer ?? "read")")
        }
    }

    private func read(_ text: String, as format: InputFormat, name: String) throws -> Reading {
        var options = InputOptions()
        options.format = format
        return try Reading(text, name: name, options: options)
    }
}
