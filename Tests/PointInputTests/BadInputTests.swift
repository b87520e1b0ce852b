import Foundation
import PointInput
import Points
import Testing

struct BadInputTests {
    static let good: String =
        #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}"#

    static func feature(_ geometry: String) -> String {
        #"{"type":"Feature","properties":{},"geometry":\#(geometry)}"#
    }

    /// A second line, and how reading stops there.
    static let badFeatures: [(String, String)] = [
        (
            feature(#"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#),
            "is a LineString; clusters are made of points"
        ),
        (
            feature(#"{"type":"Point","coordinates":["1","2"]}"#),
            #"has “["1","2"]” where two numbers should be"#
        ),
        (
            feature(#"{"type":"Point","coordinates":[51.5,-0.1e3]}"#),
            "has the latitude -100.0, beyond ±90; longitude and latitude look swapped"
        ),
        (
            feature(#"{"type":"Point","coordinates":[1,1e999]}"#),
            "has the coordinates 1.0, inf, which are no finite numbers"
        ),
        (
            feature(#"{"type":"Point","coordinates":[111319.5,4649776.25]}"#),
            "has the latitude 4649776.25, beyond ±90; these look like metres: name their system, as --crs EPSG:25832 does"
        ),
        (
            feature(#"{"type":"Paint","coordinates":[1,2]}"#),
            "is a Paint; clusters are made of points"
        ),
        (feature(#"{"type":"Point"}"#), "has a geometry without coordinates"),
        (
            feature(#"{"type":"Point","coordinates":[[1,2]]}"#),
            "has coordinates of another kind of geometry"
        ),
        (#"{"type":"Feature","properties":{"a":01}}"#, #"is not valid JSON at “01}}"#),
        (#"{"type":"Feature","properties":{"a":nul}}"#, #"is not valid JSON at “}}"#),
        (#"{"type":"Feature","properties":{"a":"b}}"#, #"is not valid JSON at “\n"#),
        (
            #"{"type":"Feature","properties":{"a":[-Infinity]}}"#,
            #"is not valid JSON at “-Infinity]}}\n{"type":"Feature","properti…”; JSON has no such number"#
        ),
        (#"{"type":"Fixture"}"#, "has the type “Fixture”, which GeoJSON doesn't know"),
        (
            #"{"a":1}"#,
            #"has no type, and no members that look like coordinates (--x and --y name them); it "#
                + #"starts with “{"a":1}”"#
        ),
        (
            #"{"type":"Feature","p":"# + String(repeating: "[", count: 100_000),
            "is nested more than 256 levels deep"
        ),
    ]

    @Test(arguments: badFeatures)
    func `a bad feature is named, located and quoted`(text: String, problem: String) throws {
        let answer = try #require(
            complaint(about: "\(Self.good)\n\(text)\n\(Self.good)\n", name: "a.geojsonl"))
        #expect(answer.hasPrefix("a.geojsonl:"))
        #expect(answer.contains(": feature 2 \(problem)"), "\(answer)")
        #expect(answer.contains("leave such features out (1 seen so far)"))
    }

    @Test(arguments: badFeatures, [false, true])
    func `a bad feature can be passed over, and the others are kept`(
        bad: (text: String, problem: String), inCollection: Bool
    ) throws {
        var options = InputOptions()
        options.tolerance = .all
        let lines = [Self.good, bad.text, Self.good]
        let reading = try Reading(
            inCollection
                ? #"{"type":"FeatureCollection","features":["# + lines.joined(separator: ",\n")
                    + "]}"
                : lines.joined(separator: "\n"), options: options)
        #expect(reading.table.count == 2)
        #expect(reading.report.records == 3 && reading.report.rejectedCount == 1)
    }

    @Test func `a line that was cut off costs no other line`() throws {
        let text = [Self.good, #"{"type":"Feature","p":"#, Self.good].joined(separator: "\n")
        var options = InputOptions()
        options.tolerance = .all
        let reading = try Reading(text, options: options)
        #expect(reading.table.count == 2 && reading.report.records == 3)
    }

    @Test func `codes of places, and numbers that mean none, are called so`() {
        for name in ["MGRS", "plus_code", "w3w", "h3_index"] {
            let said = complaint(about: "id,\(name)\na,b\n", name: "t.csv")
            #expect(
                said?.contains("codes of places (MGRS, plus codes, what3words, H3) are not read")
                    == true)
        }
        let said = complaint(about: "lat,lon\n1,2\n-9999,1\n", name: "t.csv")
        #expect(said?.contains("; -9999 usually means that there is no value") == true)
    }

    @Test func `the first line of a message is exact`() {
        #expect(
            complaint(
                about: Self.good + "\n" + Self.feature(#"{"type":"Polygon","coordinates":[]}"#),
                name: "points.geojson") == """
                    points.geojson:2: feature 2 is a Polygon; clusters are made of points
                    use --points-from centroid to take a point of each (or inside, or first), or \
                    --skip-non-points to leave such features out (1 seen so far)
                    """)
        #expect(
            complaint(about: "lat,lon\n1,2\n1,abc\n", name: "t.csv") == """
                t.csv:3: row 2 has the longitude “abc”, which is not a number
                if it means none, --nodata says so, as --nodata=NA; or use --skip-invalid to leave \
                such rows out (1 seen so far)
                """)
    }

    @Test(arguments: [
        ("lat,lon,a\n1,2,\"b\n", "t.csv:2: row 1 has a quoted cell that is never closed"),
        ("lat,lon,a\n1,2,\"b\"c\n", "t.csv:2: row 1 has text after the closing quote of a cell"),
        ("lat,lon\n1,2\n1,2,3\n", "t.csv:3: row 2 has more cells than the header"),
        ("lat,lon\n91,2\n", "t.csv:2: row 1 has the latitude 91.0, beyond ±90"),
        ("a,b\n1,2\n", "t.csv: no columns look like coordinates"),
        ("wkt\nLINESTRING (1 2)\n", "t.csv:2: row 1 is a LINESTRING; clusters are made of points"),
        ("wkt\nPOINT (1)\n", "t.csv:2: row 1 has the geometry “POINT (1)”, which is no point"),
    ])
    func `a bad row is named, located and quoted`(text: String, answer: String) throws {
        let given = try #require(complaint(about: text, name: "t.csv"))
        #expect(given.hasPrefix(answer), "\(given)")
    }

    @Test func `broken UTF-8 is located`() throws {
        var json = Data((Self.good + "\n").utf8)
        json += Data(#"{"type":"Feature","properties":{"a":"x"#.utf8) + [0xC3, 0x28]
        json += Data(#""},"geometry":null}"#.utf8)
        let answer = try #require(complaint(about: json, name: "a.json"))
        #expect(answer.hasPrefix("a.json:2: feature 2 is not valid UTF-8 at “"), "\(answer)")
        let csv = Data("x,y,ñ\n1,2,".utf8) + [0xFF, 0x0A]
        #expect(
            complaint(about: csv, name: "t.csv")?.hasPrefix("t.csv:2: row 1 is not valid UTF-8")
                == true)
    }

    @Test func `a file that is cut off says so, wherever it is cut`() throws {
        let whole =
            #"{"type":"FeatureCollection","features":["# + Self.good + "," + Self.good + "]}"
        for length in 1..<whole.utf8.count {
            let answer = complaint(about: String(whole.prefix(length)), name: "a.geojson")
            #expect(answer != nil, "cut to \(length)")
            guard length > 42 else { continue }
            #expect(answer?.contains("cut off") == true, "\(length): \(answer ?? "")")
        }
    }

    @Test func `tolerance ends where it was set to`() throws {
        let text = [Self.good, "{}", "{}", Self.good].joined(separator: "\n")
        var options = InputOptions()
        options.tolerance = .atMost(2)
        #expect(try Reading(text, options: options).table.count == 2)
        let answer = complaint(about: text, name: "a.json") { $0.tolerance = .atMost(1) }
        #expect(answer?.contains("more than 1 records are not valid") == true, "\(answer ?? "")")
    }

    @Test(
        arguments: [
            .cannotOpen(input: "a", reason: ""), .isDirectory(input: "a"), .empty(input: "a"),
            .unknownFormat(input: "a", start: ""), .readFailed(input: "a", offset: 1, reason: ""),
            .changedWhileRead(input: "a"), .malformed(input: "a", location: "", problem: ""),
            .recordTooLong(input: "a", limit: 1),
            .unsupportedCRS(input: "a", name: "", .noDatabase),
            .noSuchColumn(input: "a", column: "", available: []),
            .noCoordinates(input: "a", available: []),
        ] as [InputError])
    func `every message says what to do`(error: InputError) {
        #expect(error.advice?.isEmpty == false)
    }

    @Test func `what is no file of points is told apart`() throws {
        #expect(
            complaint(about: "", name: "a.json")
                == "a.json: holds no data\ncheck that whatever writes it has finished")
        #expect(
            complaint(about: "hello\n", name: "a.bin")?.hasPrefix(
                "a.bin: is of no known format; it starts with “hello") == true)
        #expect(
            throws: InputError.cannotOpen(
                input: "/no/such/file", reason: "No such file or directory")
        ) { try PointTable.read([.file("/no/such/file")]) }
        let utm =
            #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:99999"}},"features":[]}"#
        #expect(complaint(about: utm, name: "a.json")?.contains("EPSG:99999") == true)
    }
}
