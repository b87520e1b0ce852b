import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// What GDAL says of broken files, and what is made of it.
@Suite(
    .enabled(if: runsTests(needing: Program.hasGDAL), "ogr2ogr (gdal-bin) is not installed"))
struct GDALFaultTests {
    private static func broken<Result>(_ use: (String) throws -> Result) throws -> Result {
        try GDALReaderTests.withPlaces(as: "ESRI Shapefile", "a.shp", GDALReaderTests.located) {
            path in
            let bytes = try Data(contentsOf: URL(filePath: path))
            try bytes.dropLast(4).write(to: URL(filePath: path))
            return try use(path)
        }
    }

    @Test func `an error that GDAL tells of ends the build, unless broken records are left out`()
        throws
    {
        try Self.broken { path in
            let error = #expect(throws: InputError.self) { try Samples.read(path: path) }
            #expect(error?.description.contains("a.shp: ogr2ogr: ERROR 1: ") == true)
            #expect(error?.advice?.contains("--skip-invalid") == true)
            let (points, report) = try Samples.read(path: path) { $0.tolerance = .all }
            #expect(points.count == 1)
            #expect(report.notes.contains { $0.contains("ogr2ogr: ERROR 1: ") })
        }
    }

    private static func kml(_ content: String) -> Data {
        Data(
            "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document>\(content)</Document></kml>"
                .utf8)
    }

    private static func link(_ name: String) -> String {
        "<NetworkLink><Link><href>layers/\(name).kml</href></Link></NetworkLink>"
    }

    private static func place(_ name: String) -> String {
        "<Placemark><name>\(name)</name><Point><coordinates>1,2</coordinates></Point></Placemark>"
    }

    /// A map whose parts are linked to.
    private static func map(_ second: Data) -> Data {
        PackedInputTests.zip([
            ("doc.kml", kml(link("a") + link("b"))), ("layers/a.kml", kml(place("x"))),
            ("layers/b.kml", second),
        ])
    }

    @Test(arguments: ["a.kmz", "a.zip", "download"])
    func `the parts of a map are read, under whatever name`(name: String) throws {
        let whole = Array(Self.map(Self.kml(Self.place("y"))))
        let fromFile = try withFile(whole, named: name) { try Samples.read(path: $0).points }
        #expect(fromFile.map { $0.attributes["Name"] } == [.text("x"), .text("y")])
        // As from a pipe.
        let (table, _) = try PointTable.read(bytes: whole, named: "standard input")
        #expect(table.readPoints == fromFile)
        let cut = Array(Self.map(Self.kml(Self.place("y")).dropLast(20)))
        try withFile(cut, named: name) { path throws in
            let error = #expect(throws: InputError.self) { try Samples.read(path: path) }
            #expect(error?.description.contains("ERROR 4: ") == true, "\(error as Any)")
        }
    }

    @Test func `a KMZ of one document is read as that document`() throws {
        let data = """
            <Schema name="s" id="s"><SimpleField name="k" type="int"/></Schema><Folder><name>f</name>
            <Placemark><name>x</name><ExtendedData><SchemaData schemaUrl="#s">
            <SimpleData name="k">5</SimpleData></SchemaData></ExtendedData>
            <Point><coordinates>1,2</coordinates></Point></Placemark></Folder>
            """
        let document = Self.kml(data)
        let icon: [(name: String, bytes: Data)] = [("files/icon.png", Data([1]))]
        func read(_ bytes: Data, _ name: String) throws -> [ReadPoint] {
            try withFile(Array(bytes), named: name) { try Samples.read(path: $0).points }
        }
        let expected = try read(document, "a.kml")
        #expect(expected.count == 1)
        for name in ["doc.kml", "b.kml"] {
            let zip = PackedInputTests.zip([(name, document)] + icon)
            #expect(try read(zip, "a.kmz") == expected)
            #expect(try read(zip, "a.zip") == expected)
        }
    }

    @Test func `what GDAL says goes before that there is no data`() throws {
        let kmz = PackedInputTests.zip([
            ("doc.kml", Self.kml(Self.link("a"))),
            ("layers/a.kml", Self.kml(Self.place("x")).dropLast(20)),
        ])
        let answer = complaint(about: kmz, name: "a.kmz")
        #expect(answer?.contains("ERROR 4: ") == true, "\(answer ?? "read")")
    }

    @Test func `dates in tables are spelled as everywhere`() throws {
        let spelled = [
            ("2020/01/02", "2020-01-02"), ("2020/01/02 03:04:05", "2020-01-02T03:04:05"),
            ("2020/01/02 03:04:05.250", "2020-01-02T03:04:05.250"),
            ("2020/01/02 03:04:05+00", "2020-01-02T03:04:05Z"),
            ("2020/01/02 03:04:05.5-03", "2020-01-02T03:04:05.5-03:00"),
            ("2020/01/02 03:04:05+0530", "2020-01-02T03:04:05+05:30"),
        ]
        for (given, wanted) in spelled { #expect(GDALLayer.moment(given) == wanted) }
        let text = "lon,lat,day,at,text\n1,2,2020/01/02,2020/01/02 03:04:05,2020/01/02\n"
        try withFile(Array(text.utf8), named: "t.csv") { source throws in
            let folder = URL(filePath: source).deletingLastPathComponent()
            try Data("Real,Real,Date,DateTime,String".utf8)
                .write(to: folder.appending(path: "t.csvt"))
            for file in ["a.xlsx", "a.ods", "a.dbf"] {
                let path = folder.appending(path: file).path
                #expect(try Program.run(["ogr2ogr", path, source]))
                let point = try Samples.read(path: path) { $0.format = .gdal }.points.first
                #expect(point?.attributes["day"] == .text("2020-01-02"), "\(file)")
                // A DBF knows no times.
                if file != "a.dbf" {
                    #expect(point?.attributes["at"] == .text("2020-01-02T03:04:05"), "\(file)")
                }
                #expect(point?.attributes["text"] == .text("2020/01/02"), "\(file)")
            }
        }
    }
}
