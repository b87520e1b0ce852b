import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// What is read through GDAL: which layer, which table, and what is said where that fails.
@Suite(
    .enabled(if: runsTests(needing: Program.hasGDAL), "ogr2ogr (gdal-bin) is not installed"))
struct GDALReaderTests {
    static let places = "lon,lat,name,n\n8.5,47.25,Zürich,1\n-70.5,-33.25,007,2\n"
    static let expected = [
        ReadPoint(8.5, 47.25, ["name": .text("Zürich"), "n": .integer(1)]),
        ReadPoint(-70.5, -33.25, ["name": .text("007"), "n": .integer(2)]),
    ]

    /// Runs on a file of that name which GDAL wrote of `places`.
    static func withPlaces<Result>(
        as driver: String, _ file: String, _ options: [String] = [],
        _ use: (String) throws -> Result
    ) throws -> Result {
        try withFile(Array(places.utf8), named: "places.csv") { source throws in
            let folder = URL(filePath: source).deletingLastPathComponent()
            let path = folder.appending(path: file).path
            let typed = ["-oo", "AUTODETECT_TYPE=YES"]
            #expect(
                try Program.run(["ogr2ogr", "-f", driver] + typed + options + [path, source]))
            return try use(path)
        }
    }

    static let located = [
        "-oo", "X_POSSIBLE_NAMES=lon", "-oo", "Y_POSSIBLE_NAMES=lat", "-oo", "KEEP_GEOM_COLUMNS=NO",
        "-a_srs", "EPSG:4326",
    ]

    @Test(arguments: [
        ("XLSX", "a.xlsx"), ("ODS", "a.ods"), ("XLSX", "download"), ("ODS", "download"),
    ])
    func `a spreadsheet is a table with a header`(target: (driver: String, file: String)) throws {
        try Self.withPlaces(as: target.driver, "a.\(target.driver.lowercased())") { path throws in
            let other = URL(filePath: path).deletingLastPathComponent().appending(path: target.file)
            try? FileManager.default.moveItem(atPath: path, toPath: other.path)
            #expect(try Samples.read(path: other.path).points == Self.expected)
        }
    }

    @Test func `the first row of a spreadsheet names its columns, even by numbers`() throws {
        let names = try withFile(Array("lo,la,2020\n1,2,3\n".utf8), named: "a.csv") {
            source throws in
            #expect(try Program.run(["ogr2ogr", "-oo", "HEADERS=YES", source + ".xlsx", source]))
            let error = #expect(throws: InputError.self) {
                _ = try PointTable.read([.file(source + ".xlsx", named: "a")])
            }
            return error
        }
        #expect(names == .noCoordinates(input: "a", available: ["lo", "la", "2020"]))
    }

    /// Folders of KML, with the names of their places.
    static func kml(_ folders: [(name: String, places: [String])]) -> String {
        #"<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>"#
            + folders.map { folder in
                "<Folder><name>\(folder.name)</name>"
                    + folder.places.map {
                        "<Placemark><name>\($0)</name><Point><coordinates>1,2</coordinates></Point></Placemark>"
                    }.joined() + "</Folder>"
            }.joined() + "</Document></kml>"
    }

    @Test func `folders of KML are read one after another, whatever they are called`() throws {
        for names in [
            ["a", "b"], ["-skipfailures", "- \"Parks\" -"], ["two\nlines\n\n", "-limit"],
        ] {
            let kml = Self.kml([(names[0], ["x", "y"]), (names[1], ["z"])])
            for file in ["a.kml", "no ending"] {
                try withFile(Array(kml.utf8), named: file) { path throws in
                    let points = try Samples.read(path: path).points
                    #expect(
                        points.map { $0.attributes["Name"] } == ["x", "y", "z"].map { .text($0) })
                    let one = try Samples.read(path: path) { $0.query = .table(names[1]) }.points
                    #expect(one.map { $0.attributes["Name"] } == [.text("z")])
                }
            }
        }
    }

    @Test func `texts in brackets stay as they are, where GDAL can`() throws {
        let texts = ["[007]", #"{"a":1,"a":2}"#]
        let kml = Self.kml([("a", texts.map { $0.replacing("\"", with: "&quot;") })])
        let read = try withFile(Array(kml.utf8), named: "a.kml") { try Samples.read(path: $0) }
        #expect(read.report.notes.isEmpty && read.points.count == 2)
        let options = run("/usr/bin/env", "ogrinfo", "--format", "GeoJSONSeq") ?? Data()
        if String(decoding: options, as: UTF8.self).contains("AUTODETECT_JSON_STRINGS") {
            #expect(read.points.map { $0.attributes["Name"] } == texts.map { .text($0) })
        }
    }

    @Test func `a folder that is a database is read with the files beside it`() throws {
        try Self.withPlaces(as: "OpenFileGDB", "a.gdb", Self.located) { path in
            // The places are beside it, as a table.
            let folder = URL(filePath: path).deletingLastPathComponent().path
            #expect(try Samples.read(path: folder).points.count == 4)
            let notes = try FolderTests.withFolder(["top.csv"]) { other in
                try FileManager.default.moveItem(atPath: folder, toPath: other + "/sub")
                try FileManager.default.removeItem(atPath: other + "/sub/places.csv")
                return try Samples.read(path: other).report.notes
            }
            #expect(notes.first?.hasSuffix("/**/*.gdb'") == true, "\(notes)")
        }
    }

    @Test func `waypoints are read, and of a file with tracks by name`() throws {
        let waypoint = "<wpt lat='47.5' lon='-8.25'><ele>12.5</ele><name>A &amp; B</name></wpt>"
        let track = "<trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1' lon='3'/></trkseg></trk>"
        func read(_ content: String, _ change: (inout InputOptions) -> Void = { _ in }) throws
            -> [ReadPoint]
        {
            let gpx =
                "<?xml version=\"1.0\"?><gpx version=\"1.1\" "
                + "xmlns=\"http://www.topografix.com/GPX/1/1\">\(content)</gpx>"
            return try withFile(Array(gpx.utf8), named: "a.gpx") {
                try Samples.read(path: $0, change).points
            }
        }
        let point = ReadPoint(-8.25, 47.5, ["ele": .number(12.5), "name": .text("A & B")])
        #expect(try read(waypoint) == [point])
        #expect(try read(waypoint + track) { $0.query = .table("waypoints") } == [point])
        let error = #expect(throws: InputError.self) { _ = try read(waypoint + track) }
        #expect(error?.description.contains("2 of its layers may have points") == true)
        #expect(error?.advice == "choose one with --table: waypoints, track_points")
        #expect(throws: InputError.self) { _ = try read("") }
    }

    @Test func `what a file declares counts, else the option, else degrees`() throws {
        func longitude(_ options: [String], crs: CoordinateSystem?) throws -> Double? {
            try Self.withPlaces(as: "ESRI Shapefile", "a.shp", Self.located.dropLast(2) + options) {
                try Samples.read(path: $0) { $0.crs = crs }.points.first?.x
            }
        }
        #expect(try longitude([], crs: nil) == 8.5)
        #expect(try longitude([], crs: .webMercator).map { $0 < 0.001 } == true)
        #expect(try longitude(["-a_srs", "EPSG:4326"], crs: .webMercator) == 8.5)
        let metres = try longitude(["-s_srs", "EPSG:4326", "-t_srs", "EPSG:3857"], crs: nil)
        #expect(metres.map { abs($0 - 8.5) < 1e-6 } == true)
    }

    @Test func `lines are told of, and what is damaged, in GDAL's own words`() throws {
        let kml =
            #"<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><LineString><coordinates>1,2 "#
            + "3,4</coordinates></LineString></Placemark></Document></kml>"
        #expect(complaint(about: kml, name: "a.kml")?.contains("is a LineString") == true)
        let answer = complaint(about: kml.prefix(90) + "", name: "a.kml") ?? ""
        #expect(answer.contains("a.kml: cannot be opened: ogrinfo"), "\(answer)")
        let shapefile = complaint(about: Data([0, 0, 0x27, 0x0A, 0, 0, 0, 0]), name: "a.shp") ?? ""
        #expect(shapefile.hasPrefix("a.shp: cannot be opened: ogrinfo"), "\(shapefile)")
    }

    /// A stranger's file may be called as it likes.
    @Test(arguments: ["a.kml", "a.gml", "a.shp", "a.zip"])
    func `what a file names is not read, unless GDAL is asked for`(name: String) throws {
        try withFile(Array(Self.places.utf8), named: "secret.csv") { secret throws in
            let vrt = """
                <OGRVRTDataSource><OGRVRTLayer name="secret"><SrcDataSource>\(secret)</SrcDataSource>
                <GeometryType>wkbPoint</GeometryType>
                <GeometryField encoding="PointFromColumns" x="lon" y="lat"/></OGRVRTLayer></OGRVRTDataSource>
                """
            let folder = URL(filePath: secret).deletingLastPathComponent()
            let path = folder.appending(path: name).path
            let bytes = Data(vrt.utf8)
            try (name == "a.zip" ? PackedInputTests.zip([("a.kml", bytes)]) : bytes)
                .write(to: URL(filePath: path))
            #expect(throws: InputError.self) { try Samples.read(path: path) }
            let asked = try Samples.read(path: path) { $0.format = .gdal }
            #expect(asked.points.count == 2)
        }
    }

    @Test func `a database is named as GDAL names it, and its password is not shown`() throws {
        let source = PointSource.file("PG:host=127.0.0.1 port=1 password=secret dbname=a")
        #expect(source.name == "PG:host=127.0.0.1 port=1 password=… dbname=a")
        #expect(PointSource.file("PG:postgresql://a:b@c/d").name == "PG:postgresql://a:…@c/d")
        #expect(!PointSource.isFile("PG:dbname=a") && !PointSource.isFile("/vsis3/a/b.shp"))
        #expect(PointSource.isFile("a:b.csv") && PointSource.isFile("folder/PG:a"))
        let error = #expect(throws: InputError.self) { _ = try PointTable.read([source]) }
        let words = error?.description ?? ""
        #expect(
            words.contains("cannot be opened: ogrinfo: ") && !words.contains("secret"), "\(words)")
    }

    @Test func `reading through GDAL can be stopped`() throws {
        try Self.withPlaces(as: "GML", "a.gml", Self.located) { path in
            var options = InputOptions()
            options.isCancelled = { true }
            #expect(throws: InputError.cancelled(input: path)) {
                _ = try PointTable.read([.file(path)], options: options)
            }
        }
    }
}

struct GDALLayerTests {
    @Test func `what ogrinfo says of layers is understood`() {
        let text = """
            INFO: Open of `a'

            Layer name: a b
            Geometry: 3D Point
            Feature Count: 7
            Layer SRS WKT:
            (unknown)
            Code: of: String (8.0)
            open: Integer(Boolean) (0.0) DEFAULT 1
            n: Integer (0.0)
            Layer name: c
            Geometry: None
            """
        var first = GDALLayer(name: "a b", geometry: "3D Point", count: 7)
        first.hasSystem = false
        first.kinds = ["Code: of": .text, "open": .bool]
        #expect(GDALLayer.layers(in: text) == [first, GDALLayer(name: "c", geometry: "None")])
        #expect(GDALLayer.layers(in: "").isEmpty)
    }
}

/// Programs that others are read by, and that fail.
struct ProgramStreamTests {
    private func read(_ program: String, _ script: String) throws -> String? {
        let stream = try ProgramStream(
            program, ["-c", script], package: "the-package", name: "input", isCancelled: { false })
        return try stream.text(upTo: 1_000)
    }

    @Test func `a program's failure is the input's, in its own words`() throws {
        #expect(try read("sh", "echo a; echo b >&2") == "a\n")
        #expect(try read("sh", "head -c 1001 /dev/zero") == nil)
        func words(_ program: String, _ script: String) -> String? {
            (#expect(throws: InputError.self) { _ = try read(program, script) })?.description
        }
        #expect(words("sh", "echo no >&2; exit 3") == "input: cannot be opened: sh: no")
        #expect(words("sh", "kill -9 $$")?.hasSuffix("sh was ended by a signal") == true)
        #expect(
            words("no-such-program", "")?.contains("takes the program no-such-program, which")
                == true)
    }
}
