import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// Objects of JSON that are no GeoJSON: what is said of them, and which of them are records without a position.
struct UnknownObjectTests {
    private func advice(
        _ text: String, _ x: String? = nil, _ y: String? = nil, name: String = "a.json"
    ) -> String {
        let complaint = complaint(about: text, name: name) { ($0.xColumn, $0.yColumn) = (x, y) }
        return (complaint ?? "").split(separator: "\n").last.map(String.init) ?? ""
    }

    @Test func `an answer of a service is neither GeoJSON nor a recipe, and its list is named`() {
        let record = #"{"name":"A","lon":13.4,"lat":52.5}"#
        let answer = complaint(about: #"{"total_count":1,"results":[\#(record)]}"#, name: "a.json")
        #expect(
            answer == """
                a.json:1: feature 1 is no GeoJSON (no type) and no recipe (no layers), and has no members that \
                look like coordinates (--x and --y name them); it starts with \
                “{"total_count":1,"results":[{"name":"A",…”
                if it holds records in `results`: jq -c '.results[]' a.json | covey build - …
                """)
        let nested =
            #"{"help":"\#(String(repeating: "a", count: 99))","result":{"records":[\#(record)]}}"#
        #expect(advice(nested).contains("jq -c '.result.records[]' a.json |"))
        #expect(advice(nested, name: "standard input").contains("jq -c '.result.records[]' |"))
        let plain = "use --skip-invalid to leave such features out (1 seen so far)"
        for other in [
            #"{"error":"no"}"#, "{}", #"{"meta":{"a":{}},"data":[[1,2],[3,4],[5,6]]}"#,
            #"{"no name":[\#(record)]}"#, "[\(nested)]",
        ] {
            #expect(advice(other) == plain, "\(other)")
        }
        #expect(throws: Never.self) { try Reading(record) }
        let recipe = complaint(
            about: #"{"layers":[{"name":"a","sources":["a.csv"]}]}"#, name: "a.recipe")
        #expect(recipe?.contains("no layers") == false)
        #expect(recipe?.hasSuffix("\nif it is a recipe: its name must end in .json") == true)
    }

    @Test func `members of members are not read, and a line takes them out`() throws {
        let text = #"[{"name":"A","location":{"latitude":52.5,"longitude":13.4}}]"#
        let (x, y) = ("location.longitude", "location.latitude")
        let complaint = complaint(about: text, name: "a") { ($0.xColumn, $0.yColumn) = (x, y) }
        #expect(
            complaint?.contains(
                "has no type, and no members location.longitude and location.latitude;")
                == true)
        let line = advice(text, x, y)
        #expect(
            line.hasSuffix(
                "jq -c '.[] | .lon = .location.longitude | .lat = .location.latitude' a.json | covey build - …"
            ))
        #expect(advice(String(text.dropFirst().dropLast()), x, y).contains("jq -c '.lon = .loc"))
        #expect(advice(text, "a'b.c", y).hasPrefix("use --skip-invalid"))
    }

    @Test func `GDAL is named for the JSON that it reads`() {
        #expect(advice(#"{"type":"Topology","objects":{}}"#) == "--format gdal reads TopoJSON")
        let feature = #"{"attributes":{"name":"A"},"geometry":{"x":13.4,"y":52.5}}"#
        let text = #"{"geometryType":"esriGeometryPoint","features":[\#(feature)]}"#
        #expect(advice(text) == "if it is JSON of ArcGIS: --format gdal reads that")
    }

    @Test(arguments: [1, 4])
    func `a record without the members of others has no position`(threads: Int) throws {
        let with = #"{"name":"A","lat":52.52,"lon":13.4}"#
        let without = #"{"type":"cafe","name":"C"}"#
        for text in [
            "[\(with),\(without),{}]", "[\(without),{},\(with)]", "\(with)\n\(without)\n{}\n",
        ] {
            let reading = try Reading(text)
            #expect(reading.table.count == 1 && reading.report.rejected == [.noLocation: 2])
        }
        // In pieces, of which some have no record with a position.
        var options = InputOptions()
        options.threads = threads
        options.pieceSize = 4_096
        let many = [with] + [String](repeating: without, count: 9_000)
        let reading = try Reading("[\(many.joined(separator: ","))]", options: options)
        #expect(reading.report.rejected == [.noLocation: 9_000])
        // Features without a type are still broken, and so are records that others name no place for.
        for text in ["\(BadInputTests.good)\n\(without)", "[\(without)]"] {
            #expect(throws: InputError.self) { try Reading(text) }
        }
        options.xColumn = "e"
        options.yColumn = "n"
        let named = #"[{"e":1,"n":2},{"lon":1,"lat":2}]"#
        #expect(try Reading(named, options: options).report.rejected == [.noLocation: 1])
    }

    @Test func `coordinates of nulls are none`() throws {
        for coordinates in ["[null,null]", "[null, null, null]", "[]"] {
            let text = BadInputTests.feature(#"{"type":"Point","coordinates":\#(coordinates)}"#)
            #expect(try Reading(text).report.rejected == [.noLocation: 1])
        }
        #expect(
            complaint(
                about: BadInputTests.feature(#"{"type":"Point","coordinates":[null,1]}"#), name: "a"
            ) != nil)
    }
}
