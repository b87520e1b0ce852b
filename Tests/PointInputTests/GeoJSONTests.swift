import PointInput
import Points
import Testing

struct GeoJSONTests {
    static let feature: String = """
        {"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[1.5,-2.25]},\
        "properties":{"a":"x","b":3}}
        """

    static let wrappings: [String] = [
        feature,
        feature + "\n",
        "\u{FEFF}" + feature,
        "\u{1E}" + feature + "\n",
        #"{"type":"FeatureCollection","features":["# + feature + "]}",
        #"{"name":"n","crs":null,"features":["# + feature + #"],"type":"FeatureCollection"}"#,
        feature.replacing(",", with: " ,\r\n\t").replacing(":", with: " : "),
        #"{"type":"Feature","properties":{"a":"x","b":3},"geometry":{"coordinates":[1.5,-2.25,9],"#
            + #""type":"Point"},"id":"7","bbox":[1,2,3,4],"other":{"deep":[[{}]]}}"#,
    ]

    @Test(arguments: wrappings)
    func `one feature is one point, however it is wrapped`(text: String) throws {
        let reading = try Reading(text)
        #expect(reading.table.count == 1)
        #expect(reading.table.ids?[0] == 7)
        #expect(abs(reading.longitude(0) - 1.5) < 1e-12)
        #expect(abs(reading.latitude(0) + 2.25) < 1e-12)
        #expect(reading.attributes(0) == ["a": .text("x"), "b": .integer(3)])
        #expect(reading.report.records == 1 && reading.report.kept == 1)
    }

    @Test(arguments: ["\n", "", " ", "\r\n", "\n\u{1E}", "\n\n"])
    func `objects may stand side by side, whatever is between them`(separator: String) throws {
        let point = #"{"type":"Point","coordinates":[3,4]}"#
        let collection = #"{"type":"FeatureCollection","features":["# + Self.feature + "]}"
        let texts = [Self.feature, point, collection, collection, point]
        let reading = try Reading(texts.joined(separator: separator))
        #expect(reading.table.count == 5 && reading.report.records == 5)
        let ids = try #require(reading.table.ids)
        #expect((0..<5).map { ids[$0] == 7 } == [true, false, true, true, false])
    }

    @Test(arguments: [
        (#""\u00e9\ud83d\ude00\n\/\"\\\b\f\r\t""#, AttributeValue.text("é😀\n/\"\\\u{8}\u{C}\r\t")),
        (#""\ud83d!""#, .text("\u{FFFD}!")), (#""Zürich""#, .text("Zürich")), (#""""#, .text("")),
        ("18446744073709551615", .unsigned(.max)), ("-9223372036854775808", .integer(.min)),
        ("18446744073709551616", .number(0x1p64)),
        ("9007199254740993", .integer(9_007_199_254_740_993)),
        ("1.0", .integer(1)), ("-0", .integer(0)), ("1e3", .integer(1_000)), ("0.1", .number(0.1)),
        ("true", .bool(true)), ("false", .bool(false)),
        (#"{ "k" : [ 1 , "a b" , null ] }"#, .text(#"{"k":[1,"a b",null]}"#)),
        ("[ ]", .text("[]")), ("{ }", .text("{}")),
    ])
    func `a property keeps its value`(text: String, value: AttributeValue) throws {
        let reading = try Reading(feature(properties: #"{"v":\#(text)}"#))
        #expect(reading.attributes(0) == ["v": value])
    }

    @Test func `null has no value, and of equal names the last one counts`() throws {
        let reading = try Reading(
            feature(properties: #"{"n":null,"a":1,"b":2,"a":3,"\u0062":4,"c":5,"c":null}"#))
        #expect(reading.attributes(0) == ["a": .integer(3), "b": .integer(4)])
    }

    @Test(arguments: [
        #""geometry":{"type":"Point","coordinates":[1,2]},"geometry":{"type":"Point","coordinates":[3,4]}"#,
        #""geometry":{"type":"Polygon","coordinates":[]},"geometry":{"type":"Point","coordinates":[3,4]}"#,
        #""geometry":{"type":"Point","coordinates":[1,2],"coordinates":[3,4]}"#,
        #""geometry":{"type":"Point","coordinates":["a"],"coordinates":[3,4]}"#,
        #""geometry":{"coordinates":[[1,2],[5,6]],"coordinates":[3,4],"type":"Point"}"#,
        #""coordinates":[1,2],"geometry":{"type":"Point","coordinates":[3,4]}"#,
        #""geometry":{"type":"Point","coordinates":[3,4]},"coordinates":[1,2]"#,
        #""geometry" : {"\u0074ype":"Point","coor\u0064inates":[3,4]}"#,
    ])
    func `one place is one point, in whatever members it stands`(members: String) throws {
        let reading = try Reading(#"{"type":"Feature","properties":{},\#(members)}"#)
        #expect(reading.table.count == 1)
        #expect(reading.longitude(0).rounded() == 3 && reading.latitude(0).rounded() == 4)
    }

    @Test func `of equal members of a feature the last counts`() throws {
        let text =
            #"{"type":"Feature","id":"x","properties":{"a":1,"n":5,"w":3},"id":9,"#
            + #""properties":{"b":2,"n":6},"geometry":{"type":"Point","coordinates":[1,2]}}"#
        let reading = try Reading(text)
        #expect(reading.attributes(0) == ["b": .integer(2), "n": .integer(6)])
        #expect(reading.table.ids?[0] == 9)
        let swapped = try Reading(text.replacing(#""x""#, with: "8").replacing("9", with: #""y""#))
        #expect(swapped.table.ids == nil && swapped.attributes(0)["id"] == .text("y"))
        var options = InputOptions()
        options.idAttribute = "n"
        options.weightAttribute = "w"
        let chosen = try Reading(text, options: options)
        #expect(chosen.table.ids?[0] == 6 && chosen.table.weights == nil)
        #expect(chosen.attributes(0) == ["b": .integer(2), "id": .integer(9)])
    }

    @Test func `of two geometries the last counts, whole as it is`() throws {
        func problem(_ geometries: String...) throws -> String? {
            let members = geometries.map { #""geometry":\#($0)"# }.joined(separator: ",")
            var options = InputOptions()
            options.tolerance = .all
            let good =
                #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[5,6]}}"#
            let text = [good, #"{"type":"Feature","properties":{},\#(members)}"#]
            return try Reading(text.joined(separator: "\n"), options: options)
                .report.samples.first?.problem
        }
        let point = #"{"type":"Point","coordinates":[1,2]}"#
        #expect(try problem(point) == nil)
        #expect(try problem(#"{"coordinates":[3,4]}"#, point) == nil)
        let untyped = try problem(point, #"{"coordinates":[3,4]}"#)
        #expect(untyped?.contains("a geometry without a type") == true)
    }

    @Test func `each position of a MultiPoint is a point with the same attributes`() throws {
        let reading = try Reading(
            #"{"type":"Feature","id":4,"properties":{"a":1},"#
                + #""geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4,5],[6,7]]}}"#)
        #expect(reading.table.count == 3)
        #expect(
            reading.report.records == 1 && reading.report.kept == 1 && reading.report.points == 3)
        for row in 0..<3 {
            #expect(reading.attributes(row) == ["a": .integer(1)] && reading.table.ids?[row] == 4)
        }
        #expect((0..<3).map { reading.longitude($0).rounded() } == [1, 3, 6])
    }

    @Test(
        arguments: [
            ("12", 12, [:]), (#""12""#, 12, [:]), ("12.0", 12, [:]),
            (#""a-1""#, nil, ["id": AttributeValue.text("a-1")]), ("-3", nil, ["id": .integer(-3)]),
            (#""007""#, nil, ["id": .text("007")]), ("null", nil, [:]),
        ] as [(String, UInt64?, [String: AttributeValue])])
    func `an id is a whole number, or stays as an attribute`(
        text: String, id: UInt64?, attributes: [String: AttributeValue]
    ) throws {
        let reading = try Reading(
            #"{"type":"Feature","id":\#(text),"geometry":{"type":"Point","coordinates":[1,2]},"#
                + #""properties":{}}"#)
        #expect(reading.table.ids?[0] == id)
        #expect(reading.attributes(0) == attributes)
    }

    @Test(arguments: ["urn:ogc:def:crs:EPSG::3857", "EPSG:3857", "urn:ogc:def:crs:OGC:1.3:CRS84"])
    func `the old crs member says what coordinates mean`(name: String) throws {
        let reading = try Reading(
            #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"\#(name)"}},"#
                + #""features":[{"type":"Feature","properties":{},"geometry":"#
                + #"{"type":"Point","coordinates":[111.31949079327358,0]}}]}"#)
        #expect(abs(reading.longitude(0) - (name.contains("3857") ? 0.001 : 111.3194907932)) < 1e-9)
    }

    @Test func `a crs behind the features of a file is honoured, that of a pipe refused`() throws {
        func text(x: String, behind: String) -> String {
            #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"crs":[]},"#
                + #""geometry":{"type":"Point","coordinates":[\#(x),0]}}]"#
                + #"\#(behind),"crs":{"type":"name","properties":{"name":"EPSG:3857"}}}"#
        }
        for behind in ["", #","name":"a","n":{"m":1}"#, " "] {
            let reading = try Reading(text(x: "111319.49079327358", behind: behind) + "\n")
            #expect(abs(reading.longitude(0) - 1) < 1e-9)
        }
        let error = #expect(throws: InputError.self) {
            try PointTable.read(bytes: Array(text(x: "100", behind: "").utf8), named: "a.json")
        }
        #expect(error?.description == "a.json: has its member crs after the features")
        #expect(error?.advice?.contains("or use --crs EPSG:3857") == true)
        // A property of the last feature means nothing.
        let property =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,0]},"#
            + #""properties":{"crs":"EPSG:3857"}}"#
        #expect(abs(try Reading(property).longitude(0) - 1) < 1e-9)
        #expect(
            abs(try Reading(#"{"features":[\#(property)]}"#).longitude(0) - 1) < 1e-9)
    }

    private func feature(properties: String) -> String {
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":"#
            + properties + "}"
    }
}
