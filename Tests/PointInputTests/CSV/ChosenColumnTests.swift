import Foundation
import PointInput
import Points
import Testing

/// Which columns of a table give the coordinates, and what is said about it.
struct ChosenColumnTests {
    /// The first point's place, the attributes' names, and what the report says about the columns.
    private static func read(
        _ text: String, _ change: (inout InputOptions) -> Void = { _ in }
    ) throws -> (place: [Double], names: [String], notes: [String]) {
        var options = InputOptions()
        options.tellsOddPlaces = false
        change(&options)
        let reading = try Reading(text, name: "t", options: options)
        let place = [reading.longitude(0), reading.latitude(0)].map { ($0 * 1e6).rounded() / 1e6 }
        return (place, reading.attributes(0).keys.sorted(), reading.report.notes)
    }

    @Test(arguments: [
        ("lon,lat,n\n1,2,3\n", [], nil), ("Länge,Breite\n1,2\n", [], nil),
        ("wkt,n\nPOINT(1 2),3\n", [], nil), ("Longitud;lat;lng_wgs\n1;2;3\n", [], "no pair"),
        ("x,y,lon,lat\n9,9,1,2\n", ["x", "y"], "lon and lat, not of x, y; --x and --y choose"),
        (
            "lon,lat,Länge,Breite\n1,2,50,60\n", ["Breite", "Länge"],
            "lon and lat, not of Länge, Breite"
        ),
        ("Länge;Breite;X;Y\n50;60;1;2\n", ["Breite", "Länge"], "X and Y, not of Länge, Breite"),
        ("Länge;Breite;geom\n50;60;\n5;6;POINT(1 2)\n", ["Breite", "Länge"], "geom, not of Länge"),
        ("Länge;Breite;shape\n1;2;round\n", ["shape"], nil),
        ("lon,lat,geom\n1,2,POINT(3 4)\n", ["geom"], "lon and lat, not of geom"),
        ("lon,lat,location\n1,2,Berlin\n", ["location"], nil),
        ("lon,lng,lat\n1,7,2\n", ["lng"], "lon and lat, not of lng"),
        ("Lon,lon,LAT,lat\n1,9,2,9\n", ["lat", "lon"], "Lon and LAT, not of lon, lat; --x and"),
        ("@lat,lon,lat\n2,1,9\n", ["lat"], "lon and @lat, not of lat"),
        ("名前,経度,緯度\nA,1,2\n", ["名前"], nil), ("Широта;Долгота\n2;1\n", [], nil),
        ("خط الطول,خط العرض\n1,2\n", [], nil), ("ลองจิจูด,ละติจูด\n1,2\n", [], nil),
        (
            "location;geo_shape\nBerlin;{\"type\":\"Point\",\"coordinates\":[1,2]}\n", ["location"],
            nil
        ),
    ])
    func `of several columns the more certain ones are taken, and the report says which`(
        text: String, others: [String], note: String?
    ) throws {
        let (place, names, all) = try Self.read(text)
        let notes = all.filter { !$0.contains("left out") }
        #expect(place == [1, 2])
        #expect(names.filter { $0 != "n" && $0 != "lng_wgs" } == others)
        #expect(notes.count == (note == nil ? 0 : 1))
        if let note {
            #expect(notes[0].hasPrefix("t: the coordinates are those of "))
            #expect(notes[0].contains(note), "\(notes)")
        }
    }

    @Test func `a geometry is known by its first value, whatever its column's name`() throws {
        let hex = "0101000000000000000000F03F0000000000000040"
        for name in ["the_point", "geo_shape", "WKT_GEOM", "geom_wkt", "Geometrie", "column of it"]
        {
            for value in [
                "POINT (1 2)", "SRID=4326;POINT(1 2)", hex, "MULTIPOINT(1 2)", "PointZ(1 2 3)",
                "\"{\"\"type\"\":\"\"Point\"\",\"\"coordinates\"\":[1,2]}\"",
            ] {
                let value = value.contains(";") ? "\"\(value)\"" : value
                let (place, names, notes) = try Self.read("a;\(name)\nb;\n\(1);\(value)\n") {
                    $0.tolerance = .all
                }
                #expect(place == [1, 2] && names == ["a"], "\(name) \(value)")
                #expect(notes == ["t: left out 1 row without coordinates"])
            }
        }
        // Without a header, too.
        #expect(try Self.read("7;POINT(1 2)\n").place == [1, 2])
        #expect(try Self.read("a;POINT(1 2)\n").names == ["column1"])
        #expect(complaint(about: "a,json\nb,{}\n", name: "t")?.contains("no columns look") == true)
    }

    @Test(arguments: [
        "location-long,location-lat", "location-Longitude,location-Latitude",
        "_location_longitude,_location_latitude", "@lon,@lat", "long_1_Where,lat_1_Where",
        "_plot/location_longitude,_plot/location_latitude", "Lng (WGS84),Lat (WGS84)",
    ])
    func `names with the same words around longitude and latitude are a pair`(names: String) throws
    {
        let (place, _, notes) = try Self.read("a,location,\(names)\nb,47.3 8.5 400.1 4.5,1,2\n")
        #expect(place == [1, 2] && notes == [])
        let pair = names.split(separator: ",")
        #expect(complaint(about: "\(pair[0]),\(pair[1].dropLast())\nb,1\n", name: "t") != nil)
        if names.hasPrefix("@") { return }
        // A geometry is more certain, and so are names without other words.
        #expect(try Self.read("\(names),wkt\n1,2,POINT(3 4)\n").place == [3, 4])
        #expect(try Self.read("\(names),lat,lon\n1,2,4,3\n").place == [3, 4])
    }

    @Test(arguments: ["lat_err,lon_err", "delta_lat,delta_lon", "lat_min,lon_min"])
    func `errors and limits of coordinates are none`(names: String) throws {
        #expect(complaint(about: "a,\(names)\nb,1,2\n", name: "t")?.contains("no columns") == true)
        #expect(try Self.read("geohash,\(names)\nu0qj7,0.02,0.02\n").place[0] > 8)
    }

    @Test func `a point of Opendatasoft has the latitude first`() throws {
        let text =
            "n;geo_point_2d;geo_shape\nx;2, 1;\"{\"\"type\"\":\"\"Polygon\"\",\"\"coordinates\"\":[]}\"\n"
        let (place, names, notes) = try Self.read(text)
        #expect(place == [1, 2] && names == ["geo_shape", "n"])
        #expect(notes.count == 1 && notes[0].contains("geo_point_2d, not of geo_shape"))
        #expect(try Self.read("n,Geo Point 2D\nx,\"-2.5,-1\"\n").place == [-1, -2.5])
        #expect(try Self.read("n;geo_point_2d\nx;POINT(1 2)\n").place == [1, 2])
        let bad = complaint(about: "n;geo_point_2d\nx;2, 1\ny;2 1\n", name: "t")
        #expect(bad?.hasPrefix("t:3: row 2 has the geometry “2 1”, which is no point") == true)
    }

    @Test func `a column of geometries is named twice, or once`() throws {
        func named(_ text: String, _ x: String?, _ y: String?) throws -> [Double] {
            try Self.read(text) { ($0.xColumn, $0.yColumn) = (x, y) }.place
        }
        let text = "lon,lat,c\n8,9,POINT(1 2)\n"
        #expect(try named(text, "c", "C") == [1, 2])
        #expect(try named(text, "c", nil) == [1, 2] && named(text, nil, "c") == [1, 2])
        #expect(try named(text, "lon", nil) == [8, 9])
        #expect(
            try named("geohash,geo_point_2d\nu0,\"2,1\"\n", "geo_point_2d", "geo_point_2d") == [
                1, 2,
            ])
        let alone = complaint(about: "id,c\n1,2\n", name: "t") { $0.xColumn = "c" }
        #expect(
            alone == """
                t: no column looks like the --y to --x c
                name it with --y; there are id. A column of geometries is named twice: --x c --y c
                """)
        let wrong = complaint(about: "lat,c\n1,2\n", name: "t") { $0.yColumn = "lat" }
        #expect(wrong?.hasPrefix("t: no column looks like the --x to --y lat") == true)
    }

    @Test func `lines above the header are told of, and blank ones are passed over`() throws {
        func advice(_ text: String) -> String? { complaint(about: text, name: "t.csv") }
        let rows = "Name;Länge;Breite\nA;1;2\n"
        for (title, line) in [
            ("Statistik 2021\n", 2), ("Statistik 2021;;\n", 2), ("a;a;\n", 2),
            ("Stand;2021\n\n", 3),
            ("\n\"Stand, \"\"1.1.\"\"\"\nx;y z\n", 4),
        ] {
            #expect(
                advice(title + rows) == """
                    t.csv: line \(line) looks like the header
                    delete the lines above it, as `tail -n +\(line) FILE | covey build - …` does
                    """, "\(title)")
        }
        #expect(advice("a;b\nc;d\n")?.contains("no columns look like coordinates") == true)
        for blank in ["\n", "\r\n\r\n", "  \n\n"] {
            let (place, names, notes) = try Self.read(blank + rows)
            #expect(place == [1, 2] && names == ["Name"] && notes.isEmpty)
        }
        let late = complaint(about: "\n\nx,y\n1,2\n3,z\n", name: "t.csv")
        #expect(late?.hasPrefix("t.csv:5: row 2") == true)
    }
}
