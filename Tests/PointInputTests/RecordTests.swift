import Foundation
import FuzzedReading
import PointInput
import Points
import Testing

/// Objects of JSON that are no GeoJSON, and cells of tables that are no plain numbers.
struct RecordTests {
    static let csv = "id,Lon,LAT,name,x\n7,8.5,47.25,Zürich,1\n8,-70.5,-33.25,,2.5\n"
    static let first = #"{"id":7,"Lon":8.5,"LAT":47.25,"name":"Zürich","x":1}"#
    static let second = #"{"LAT":"33.25 S","x":2.5,"id":8,"name":null,"Lon":"70.5W"}"#
    static let texts = [
        "\(first)\n\(second)", "[\(first),\(second)]", " [ \n\(first)\n,\(second)\n]\n",
        "\(first)\(second)",
    ]

    @Test(arguments: texts)
    func `flat records are what the same table is`(text: String) throws {
        let expected = try Reading(Self.csv).table.readPoints
        #expect(expected.count == 2)
        for pieceSize in [1, 7, 40, 1 << 16] {
            var options = InputOptions()
            (options.pieceSize, options.threads) = (pieceSize, 3)
            let (table, report) = try PointTable.read(
                bytes: Array(text.utf8), named: "a.json", options: options)
            #expect(table.readPoints == expected && report.records == 2, "\(pieceSize)")
        }
    }

    @Test func `members are chosen by the options, and what has none is refused`() throws {
        let text = #"{"lon":1,"lat":2,"e":3,"n":4,"a":[1,{"b":2}]}"#
        var options = InputOptions()
        (options.xColumn, options.yColumn) = ("e", "n")
        let reading = try Reading(text, options: options)
        #expect(abs(reading.longitude(0) - 3) < 1e-9 && abs(reading.latitude(0) - 4) < 1e-9)
        #expect(
            reading.attributes(0) == [
                "lon": .integer(1), "lat": .integer(2), "a": .text(#"[1,{"b":2}]"#),
            ])
        let answers = [
            #"{"a":1}"#: "no members that look like coordinates (--x and --y name them)",
            #"[{"lon":1,"lat":2},{}]"#: "read",
            #"[{},{"a":1}]"#: "no members that look like coordinates",
            #"{"lon":1,"lat":"north"}"#: "has the latitude “\\\"north\\\"”, which is not a number",
            #"{"lon":null,"lat":1}"#: "read",
            #"{"type":"cafe","a":1}"#: "has the type “cafe”, which GeoJSON doesn't know",
            #"[1,2]"#: "is “1”, not an object",
        ]
        for (text, words) in answers {
            let answer = complaint(about: text, name: "a.json") { _ in } ?? "read"
            #expect(answer.contains(words) || words.contains("\\"), "\(answer)")
        }
        #expect(
            try Reading(#"{"type":"cafe","lon":1,"lat":2}"#).attributes(0) == [
                "type": .text("cafe")
            ])
    }

    @Test func `degrees in whole numbers, and geometries in a member, get a line of jq`() {
        let e7 = #"{"locations":[{"latitudeE7":471000000,"longitudeE7":81000000}]}"#
        #expect(
            complaint(about: e7, name: "a.json")?.contains(
                "jq -c '.locations[] | .lon = .longitudeE7 / 1e7 | .lat = .latitudeE7 / 1e7' a.json"
            ) == true)
        let row = #"{"id":1,"geojson":{"type":"Point","coordinates":[1,2]}}"#
        let said = complaint(about: row, name: "a.json") {
            ($0.xColumn, $0.yColumn) = ("geojson", "geojson")
        }
        #expect(
            said?.contains(
                #"jq -c '{type: "Feature", properties: del(.geojson), geometry: .geojson}' a.json"#)
                == true)
        #expect(said?.contains("has no members geojson") == false)
    }

    @Test func `what Overpass answers is read: nodes, and ways by their centers`() throws {
        let text = """
            {"version":0.6,"generator":"Overpass API","osm3s":{"copyright":"…"},"elements":[
            {"type":"node","id":5,"lat":1.5,"lon":2.5,"tags":{"amenity":"cafe","type":"x"}},
            {"type":"way","id":6,"center":{"lat":3.5,"lon":4.5},"nodes":[1,2],"tags":{"name":"W"}},
            {"type":"node","id":6,"lat":0,"lon":1},
            {"type":"relation","id":8,"tags":{}}]}
            """
        var options = InputOptions()
        options.skipsNonPoints = true
        let (table, report) = try PointTable.read(
            bytes: Array(text.utf8), named: "a.json", options: options)
        var expected = [
            ReadPoint(
                2.5, 1.5, ["@id": .text("node/5"), "amenity": .text("cafe"), "type": .text("x")]),
            ReadPoint(
                4.5, 3.5,
                [
                    "@id": .text("way/6"), "type": .text("way"), "name": .text("W"),
                    "nodes": .text("[1,2]"),
                ]),
            ReadPoint(1, 0, ["@id": .text("node/6"), "type": .text("node")]),
        ]
        // A node and a way of one number are two.
        for (row, id) in [51, 62, 61].enumerated() { expected[row].id = UInt64(id) }
        #expect(table.readPoints == expected)
        #expect(report.rejected == [.noCenter: 1])
    }

    /// Twenty texts that are no records; whatever is made of them, none is lost and nothing breaks.
    static let broken = [
        "[", "[{", "[{}", "[{}]", "[{},]", "[,{}]", "[{}{}]", "[[{}]]", #"[{"lon":1,"lat":2}"#,
        #"[{"lon":1,"lat":2},{"lon":1]"#, #"[{"lon":1,"lat":}]"#, #"[{"lon":,"lat":2}]"#,
        #"{"elements":[{"type":"node","id":1}]}"#, #"{"elements":[{"type":"way","center":{}}]}"#,
        #"{"elements":[{"type":"way","center":{"lat":1}}]"#, #"{"elements":{}}"#,
        #"{"lon":1,"lat":2,"lon":"#, #"{"lon":"","lat":""}"#, #"{"lon":[1],"lat":[2]}"#,
        #"{"type":"node","lon":1,"lat":2,"tags":{"a":}}"#, #"[{"lon":1e999,"lat":2}]"#,
    ]

    @Test(arguments: broken)
    func `broken records are counted and located`(text: String) {
        FuzzedReading.check(Array(text.utf8), as: .geoJSON)
    }
}

/// Coordinates and numbers as people write them.
struct CoordinateTextTests {
    @Test(arguments: [
        (#"52°31'12"N"#, 52.52), ("52° 31' 12\" N", 52.52), ("N 52 31.2", 52.52),
        ("52:31:12", 52.52),
        ("52°31.2′N", 52.52), ("52º31'12''S", -52.52), ("-52°31′12″", -52.52), ("52.52°", 52.52),
        ("52,52", 52.52), ("52,52N", 52.52), ("52d31'12\"", 52.52),
        ("0°30'S", -0.5),
    ])
    func `latitudes with signs, minutes and commas`(text: String, value: Double) throws {
        let cell = "\"\(text.replacing("\"", with: "\"\""))\""
        let reading = try Reading("lon,lat\n\"8,5\",\(cell)\n")
        #expect(abs(reading.latitude(0) - value) < 1e-9)
        #expect(abs(reading.longitude(0) - 8.5) < 1e-9)
    }

    @Test(arguments: [
        "52 31 12", "52°61'N", "52°31'60\"N", "52.5°31'N", "52°31'E", "-52°N", "5+3N", "5 +3N",
        "5-3N", "+-5N", "52°N S", "N", "°",
        "1:2:3:4", "52.5:31", "52.5 31 N", "52.5°31",
        "1,2,3", "1.234,5", "12'", "abc", "52°°", "5 2N5", "10°.5E", "O 8°", "1e5°", "52''31'",
    ])
    func `what is no latitude is refused`(text: String) {
        let cell = "\"\(text.replacing("\"", with: "\"\""))\""
        let answer = complaint(about: "lon,lat\n8,\(cell)\n", name: "t.csv") ?? "read"
        #expect(answer.contains("which is not a number"), "\(answer)")
    }

    @Test func `decimal commas of coordinates make numbers of such columns`() throws {
        let head = "name;v;n;code;lon;lat\n"
        let rows = [
            "a;1,5;1;007;8,5;47,25", "b;2;2;008;9;48", "c;1,234;3;1;8;47,5", "d;0,5;4;2;7;46",
        ]
        for order in [[0, 1, 2, 3], [3, 1, 2, 0], [1, 2, 3, 0], [2, 3, 0, 1]] {
            for pieceSize in [1, 1 << 16] {
                var options = InputOptions()
                (options.pieceSize, options.threads) = (pieceSize, 2)
                let text = head + order.map { rows[$0] + "\n" }.joined()
                let table = try PointTable.read(
                    bytes: Array(text.utf8), named: "t.csv", options: options
                ).table
                let values = table.readPoints.sorted {
                    "\($0.attributes["name"]!)" < "\($1.attributes["name"]!)"
                }
                #expect(
                    values.map { $0.attributes["v"] } == [
                        .number(1.5), .integer(2), .number(1.234), .number(0.5),
                    ])
                #expect(
                    values.map(\.x) == [8.5, 9, 8, 7] && values.map(\.y) == [47.25, 48, 47.5, 46])
                #expect(values[0].attributes["code"] == .text("007"))
            }
        }
        // Where coordinates have points, a comma groups thousands.
        let plain = try Reading("lon;lat;v\n8.5;47;1,234\n8;47;2\n")
        #expect(
            plain.attributes(0) == ["v": .text("1,234")] && plain.attributes(1) == ["v": .text("2")]
        )
    }

    @Test(arguments: [
        "Breite;Länge", "Y_COORD,X_COORD", "gps_latitude,GPS Longitude",
        "decimalLatitude,decimalLongitude", "stop_lat,stop_lon", "Latitud,Longitud",
        "POINT_Y,POINT_X",
    ])
    func `columns are known by many names`(names: String) throws {
        let delimiter = names.contains(";") ? ";" : ","
        let reading = try Reading("\(names)\n47.25\(delimiter)8.5\n")
        #expect(abs(reading.longitude(0) - 8.5) < 1e-9)
        #expect(abs(reading.latitude(0) - 47.25) < 1e-9)
        #expect(reading.attributes(0).isEmpty)
    }

    @Test(arguments: ["lon,lat,longitude", "longitude,lon,lat", "x,lat,lon,longitude", "lat,lon,Y"])
    func `columns that belong together are taken together`(names: String) throws {
        let columns = names.split(separator: ",")
        let row = columns.map { $0 == "lon" ? "8.5" : $0 == "lat" ? "47.25" : "99" }
        let members = zip(columns, row).map { "\"\($0)\":\($1)" }
        for text in [
            "\(names)\n\(row.joined(separator: ","))\n",
            "{\(members.joined(separator: ","))}\n",
        ] {
            let reading = try Reading(text)
            #expect(abs(reading.longitude(0) - 8.5) < 1e-9)
            #expect(abs(reading.latitude(0) - 47.25) < 1e-9)
            #expect(reading.attributes(0).count == columns.count - 2)
        }
    }

    @Test func `geometries may be hexadecimal, name their system, or be geohashes`() throws {
        let point = "0101000020110F000000000000000000000000000000000000"
        let options = InputOptions()
        for geometry in [point, point.lowercased(), "SRID=3857;POINT(0 0)", "SRID=4326;POINT(0 0)"]
        {
            let reading = try Reading("geom,a\n\(geometry),1\nPOINT(8 47),2\n", options: options)
            #expect(
                reading.longitude(0) == 0 && abs(reading.longitude(1) - 8) < 1e-9, "\(geometry)")
        }
        let mercator = try Reading(
            "geom\nSRID=3857;POINT(1113194.9079327357 0)\nPOINT(8 47)\n", name: "t.csv")
        #expect(abs(mercator.longitude(0) - 10) < 1e-9 && abs(mercator.longitude(1) - 8) < 1e-9)
        let geohash = try Reading("geohash,a\nu4pruydqqvj,1\nezs42,2\n")
        #expect(
            abs(geohash.longitude(0) - 10.40744) < 1e-4
                && abs(geohash.latitude(0) - 57.64911) < 1e-4)
        #expect(
            abs(geohash.longitude(1) + 5.603) < 1e-3 && abs(geohash.latitude(1) - 42.605) < 1e-3)
        let answers = [
            "geohash\nabc\n": "is no geohash", "geom\n0102\n": "damaged geometry",
            "geom\n01zz\n": "which is no point",
            "geom\n010200000000000000\n": "is a LineString",
            "geom\nSRID=x;POINT(1 2)\n": "which is no point",
            "geom\nSRID=999999;POINT(1 2)\n": "cannot be used", "geom\n0\n": "damaged geometry",
        ]
        for (text, words) in answers {
            let answer = complaint(about: text, name: "t.csv") ?? "read"
            #expect(answer.contains(words), "\(answer)")
        }
    }
}
