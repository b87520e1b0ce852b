import Foundation
import PointInput
import Points
import Testing

/// Texts that people and programs write, and that are nearly what is read.
struct OddTextTests {
    @Test(arguments: [
        ("540", "-0.25", true), ("-540", "0", true), ("540.0000001", "0", false),
        ("-541", "0", false), ("1e300", "0", false),
    ])
    func `a longitude may go half a turn further than once around, no more`(
        longitude: String, latitude: String, isValid: Bool
    ) throws {
        let texts = [
            "lon,lat\n\(longitude),\(latitude)\n",
            #"{"type":"Point","coordinates":[\#(longitude),\#(latitude)]}"#,
        ]
        for text in texts {
            var options = InputOptions()
            options.tolerance = .all
            let reading = try Reading(text, options: options)
            #expect(reading.table.count == (isValid ? 1 : 0))
            #expect(reading.report.rejected == (isValid ? [:] : [.longitudeOutOfRange: 1]))
        }
        if !isValid {
            let answer = try #require(complaint(about: texts[0], name: "t.csv"))
            #expect(answer.contains("beyond ±540; these look like metres: name their system"))
        }
    }

    @Test(arguments: [
        (
            "lat,lon\n151.2,-33.8\n",
            "latitude 151.2, beyond ±90; longitude and latitude look swapped: --x lat --y lon reads"
        ),
        ("a,b\n-33.8,151.2\n", "look swapped: --x b --y a reads them the other way round"),
        (
            "lon,lat\n13405123,52520008\n",
            "may be lost: divided by 1000000 they are 13.405123, 52.520008"
        ),
        (
            "lon,lat\n134051230,-12\n",
            "may be lost: divided by 1000000 they are 134.05123, -1.2e-05"
        ),
        ("lon,lat\n1,300000000.5\n", "look like metres"),
        ("lon,lat\n32392345,5820123\n", "begin with the zone 32 are those of --crs EPSG:4647"),
        ("lon,lat\n392345,5820123\n", "look like metres"),
    ])
    func `what coordinates out of range may be is said, and what to do`(
        text: String, words: String
    ) {
        let answer = complaint(about: text, name: "t.csv") {
            if text.hasPrefix("a") { ($0.xColumn, $0.yColumn) = ("a", "b") }
        }
        #expect(answer?.contains(words) == true, "\(answer ?? "")")
        #expect(answer?.contains("\nif only a few are so, use --skip-invalid") == true)
    }

    @Test func `an easting beyond any is no point in Web Mercator either`() throws {
        var options = InputOptions()
        options.crs = .webMercator
        options.tolerance = .all
        let reading = try Reading("x,y\n60112525,0\n60112526,0\n-60112526,1\n", options: options)
        #expect(reading.table.count == 1)
        #expect(reading.report.rejected == [.longitudeOutOfRange: 2])
    }

    @Test(arguments: ["0x10", "0x1p3", "inf", "nan", "1_000", "½", "1,5,5", "--1", "e", "1e"])
    func `only decimal numbers are coordinates`(text: String) throws {
        let answer = try #require(complaint(about: "lon;lat\n\(text);1\n", name: "t.csv"))
        #expect(answer.contains("has the longitude “\(text)”, which is not a number"))
    }

    @Test(arguments: ["+1.5", " 1.5", "1.5 ", "15e-1", "\"1.5\"", "01.5", "1.50"])
    func `a number may be written in any usual way`(text: String) throws {
        let reading = try Reading("lon,lat\n\(text),.5\n")
        #expect(abs(reading.longitude(0) - 1.5) < 1e-9 && abs(reading.latitude(0) - 0.5) < 1e-9)
    }

    @Test func `columns of one name are refused by that name`() throws {
        let answer = try #require(complaint(about: "lon,lat,a,b,a\n1,2,3,4,5\n", name: "t.csv"))
        #expect(answer.contains("t.csv: has more than one column of the name a"))
        #expect(
            complaint(about: "lat,lon,lat\n1,2,3\n", name: "t.csv")?.contains("name lat") == true)
        // Columns without a name are told apart by their numbers.
        let reading = try Reading("lon,lat,,\n1,2,3,4\n")
        #expect(reading.attributes(0) == ["column3": .integer(3), "column4": .integer(4)])
        // Without a header there are no names to be alike.
        #expect(try Reading("1,2,1\n3,4,3\n", options: byColumns).table.count == 2)
    }

    @Test func `a header may have numbers where it names the coordinates`() throws {
        var options = InputOptions()
        (options.xColumn, options.yColumn) = ("east", "north")
        for header in ["lon,lat,name,2020", "east,north,name,2020", "point,2019,name,2020"] {
            let row = header.hasPrefix("point") ? "POINT(1 2),7,a,5" : "1,2,a,5"
            let reading = try Reading(
                "\(header)\n\(row)\n", options: header.hasPrefix("e") ? options : InputOptions())
            #expect(reading.table.count == 1)
            #expect(reading.attributes(0)["2020"] == .integer(5))
        }
        for change: (inout InputOptions) -> Void in [{ _ in }, { $0.xColumn = "east" }] {
            let answer = complaint(about: "west,lat,2020\n1,2,3\n", name: "t.csv", change)
            #expect(answer?.contains("t.csv: row 1 has a number and names no coordinates") == true)
            #expect(answer?.contains("there are column1, column2, column3") == true)
        }
        // What is no header is a row, whatever texts are in it.
        #expect(try Reading("1,2,point\n3,4,5\n", options: byColumns).table.count == 2)
    }

    private var byColumns: InputOptions {
        var options = InputOptions()
        (options.xColumn, options.yColumn) = ("column1", "column2")
        return options
    }

    @Test func `a header whose quotes do not match is named`() throws {
        let quotes = try #require(complaint(about: "lon,\"lat\n1,2\n", name: "t.csv"))
        #expect(quotes.contains("line 1: the header's quotes do not match"), "\(quotes)")
    }

    @Test func `lines that end in carriage returns alone are named`() throws {
        let answer = try #require(complaint(about: "lon,lat\r1,2\r3,4\r", name: "t.csv"))
        #expect(answer.contains("lines that end in carriage returns alone"))
        #expect(answer.contains(#"tr '\r' '\n'"#))
        #expect(try Reading("lon,lat\r\n1,2\r\n").table.count == 1)
        #expect(try Reading("lon,lat,t\n1,2,\"a\rb\"\n").table.count == 1)
    }

    @Test(arguments: ["sep=;\n", "sep=;\r\n", "SEP=;\n", "\u{FEFF}sep=;\n"])
    func `a spreadsheet's line about the delimiter is heeded`(line: String) throws {
        let reading = try Reading("\(line)lon;lat;a,b\n1;2;x,y\n")
        #expect(reading.attributes(0) == ["a,b": .text("x,y")])
        #expect(reading.report.records == 1)
    }

    @Test(arguments: [1_000, 20_000])
    func `a header of any length is read whole`(columns: Int) throws {
        let names = (0..<columns).map { "c\($0)" }
        let text =
            names.joined(separator: ",") + ",\"quoted\nname\",lon,lat\n"
            + String(repeating: ",", count: columns) + "7,1,2\n"
        var options = InputOptions()
        options.included = ["quoted\nname"]
        let reading = try Reading(text, options: options)
        #expect(reading.table.count == 1 && reading.longitude(0).rounded() == 1)
        #expect(reading.attributes(0)["quoted\nname"] == .integer(7))
        // Without a line's end it is a header all the same.
        let bare = names.joined(separator: ",") + ",lon,lat"
        #expect(complaint(about: bare, name: "t.csv") == nil)
    }

    @Test func `a header that never ends ends at a limit`() throws {
        for (count, end) in [(1 << 18, ""), (1 << 17, "\n1,2,3\n")] {
            let answer = complaint(
                about: "lon,lat," + String(repeating: "x", count: count) + end, name: "t"
            ) {
                $0.longestRecord = 1 << 17
            }
            #expect(answer?.contains("has a record of more than") == true)
        }
    }

    @Test(arguments: [
        #"{"type":"name","properties":{"name":"EPSG:3857"}}"#,
        #"{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}}"#,
        #"{"type": "EPSG", "properties": {"code": 3857}}"#,
    ])
    func `a declared Web Mercator is honoured`(crs: String) throws {
        let feature =
            #"{"type":"Feature","properties":{},"geometry":{"type":"Point","#
            + #""coordinates":[1113194.9079327357,0]}}"#
        for features in [[feature], [feature, feature]] {
            let text =
                #"{"type":"FeatureCollection","crs":\#(crs),"features":["#
                + features.joined(separator: ",") + "]}"
            #expect((try Reading(text).longitude(0) - 10).magnitude < 1e-9)
        }
    }

    @Test func `the account says what became of the records`() throws {
        var options = InputOptions()
        options.tolerance = .all
        let reading = try Reading("lon,lat\n,\n1,200\n,\n", name: "t.csv", options: options)
        #expect(
            reading.report.account
                == "read 3 rows: 2 without coordinates, 1 with a latitude beyond ±90; the first: "
                + "t.csv:2: row 1 has no coordinates")
    }
}
