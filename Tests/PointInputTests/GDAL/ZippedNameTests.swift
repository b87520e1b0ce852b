import Foundation
import Testing

@testable import PointInput

/// The name by which GDAL opens what lies in a zip archive.
struct ZippedNameTests {
    @Test(arguments: [
        (["a.shp", "a.dbf"], "/vsizip/{PATH}/a.shp"), (["a.shp", "b.shp"], "/vsizip/{PATH}"),
        (["d/e/a.SHP", "d/e/b.shp", "readme.txt"], "/vsizip/{PATH}/d/e"),
        (["a.kml", "doc.kml"], "PATH"), (["doc.kml", "a.csv"], "/vsizip/{PATH}/doc.kml"),
        (["__MACOSX/._a.kml", "._b.kml", "a.kml"], "/vsizip/{PATH}/a.kml"),
        (["d/a.gml"], "/vsizip/{PATH}/d/a.gml"),
        (["read.me", "d/a.KML"], "/vsizip/{PATH}/d/a.KML"),
        (["read.me"], "/vsizip/{PATH}"), (["xl/workbook.xml"], "PATH"),
        (["content.xml"], "ODS:PATH"),
    ])
    func `several shapefiles are opened by their folder, all else by its name`(
        names: [String], wanted: String
    ) throws {
        let zip = Array(PackedInputTests.zip(names.map { (name: $0, bytes: Data([1])) }))
        for ending in ["zip", "dat", "kmz"] {
            try withFile(zip, named: "a.\(ending)") { path in
                let found = try GDALSource.name(
                    of: path, startingWith: Array(zip.prefix(8)), input: "a")
                // A KMZ is a whole, unless one document is all that it has.
                let name =
                    ending == "kmz" && !wanted.lowercased().hasSuffix(".kml") ? "PATH" : wanted
                #expect(found == name.replacing("PATH", with: path))
            }
        }
        // What is no archive is opened as it is.
        #expect(
            try GDALSource.name(of: "/no/a.zip", startingWith: [1, 2], input: "a") == "/no/a.zip")
    }
}
