import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// Archives of files, some of which GDAL reads.
@Suite(
    .enabled(if: runsTests(needing: Program.hasGDAL), "ogr2ogr (gdal-bin) is not installed"))
struct ZippedFilesTests {
    private static func kml(_ names: String...) -> Data {
        Data(GDALReaderTests.kml([("folder", names)]).utf8)
    }

    private static let table = Data(GDALReaderTests.places.utf8)

    /// The files of a shapefile of two points, by the endings of their names.
    private static func shapefile(_ name: String) throws -> [(name: String, bytes: Data)] {
        try GDALReaderTests.withPlaces(as: "ESRI Shapefile", "a.shp", GDALReaderTests.located) {
            path in
            try ["shp", "shx", "dbf", "prj"].map { ending in
                let file = URL(filePath: path).deletingPathExtension()
                return (
                    "\(name).\(ending)",
                    try Data(contentsOf: file.appendingPathExtension(ending))
                )
            }
        }
    }

    private static func count(
        _ files: [(name: String, bytes: Data)], _ member: String = "",
        _ change: (inout InputOptions) -> Void = { _ in }
    ) throws -> Int {
        try withFile(Array(PackedInputTests.zip(files)), named: "t.zip") {
            try Samples.read(path: $0 + member, change).points.count
        }
    }

    @Test func `of several files one must be named, GDAL's too`() throws {
        let shapes = try Self.shapefile("b/inns")
        for (files, names) in [
            ([("n.kml", Self.kml("x")), ("d/s.kml", Self.kml("y", "z"))], ["n.kml", "d/s.kml"]),
            ([("x.csv", Self.table), ("s.kml", Self.kml("y", "z"))], ["x.csv", "s.kml"]),
            (try Self.shapefile("a/inns") + shapes, ["a/inns.shp", "b/inns.shp"]),
            ([("x.gpkg", Data([1]))] + shapes, ["x.gpkg", "b/inns.shp"]),
        ] as [([(name: String, bytes: Data)], [String])] {
            let answer = complaint(about: PackedInputTests.zip(files), name: "t.zip")
            #expect(
                answer == "t.zip: 2 of its files may have points\nname one: "
                    + names.map { "t.zip/\($0)" }.joined(separator: ", "))
            #expect(try Self.count(files, "/" + names[1]) == 2)
        }
    }

    @Test func `shapefiles of a folder are layers of one source, and others' notes are none`()
        throws
    {
        let notes = [
            ("__MACOSX/._a.kml", Data([0])), ("readme.txt", Data("a, b\n".utf8)),
            ("a.kml.xml", Data("<a/>".utf8)),
        ]
        #expect(try Self.count(notes + [("a.kml", Self.kml("x"))]) == 1)
        #expect(try Self.count(notes + Self.shapefile("d/a")) == 2)
        let two = try Self.shapefile("d/a") + Self.shapefile("d/b")
        #expect(try Self.count(two) { $0.query = .table("b") } == 2)
        #expect(try Self.count(two, "/d/b.shp") == 2)
        #expect(throws: InputError.self) { try Self.count(two) }
    }

    @Test func `a file in an archive may be a spreadsheet, and refers to no other`() throws {
        let sheet = try GDALReaderTests.withPlaces(as: "XLSX", "a.xlsx") {
            try Data(contentsOf: URL(filePath: $0))
        }
        let files = [("d/a.xlsx", sheet), ("x.csv", Self.table)]
        #expect(try Self.count(files, "/d/a.xlsx") == 2)
        let other = "<OGRVRTDataSource><OGRVRTLayer name='a'><SrcDataSource>a.kml</SrcDataSource>"
        let reference = Data((other + "</OGRVRTLayer></OGRVRTDataSource><kml").utf8)
        #expect(throws: InputError.self) { try Self.count([("b.kml", reference)], "/b.kml") }
    }
}
