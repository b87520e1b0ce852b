import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// Texts as they come through GDAL: their kinds and their encodings.
@Suite(
    .enabled(if: runsTests(needing: Program.hasGDAL), "ogr2ogr (gdal-bin) is not installed"))
struct GDALTextTests {
    /// GDAL takes all that a CSV file holds for texts, but for what a file beside it says.
    @Test(arguments: ["a.xlsx", "a.ods", "a.csv", "a.dbf"])
    func `texts and truth values stay what they are in a table`(file: String) throws {
        let text = "lon,lat,AGS,Code,open,n,Mixed\n8.5,47.25,11000,1E5,1,5,1.10\n"
        let types = "String,String,String,String,Integer(Boolean),Integer,String"
        try withFile(Array(text.utf8), named: "t.csv") { source throws in
            let folder = URL(filePath: source).deletingLastPathComponent()
            try Data(types.utf8).write(to: folder.appending(path: "t.csvt"))
            let path = folder.appending(path: file).path
            #expect(try Program.run(["ogr2ogr", path, source]))
            func point(_ change: (inout InputOptions) -> Void = { _ in }) throws -> ReadPoint? {
                try Samples.read(path: path) {
                    $0.format = .gdal
                    change(&$0)
                }.points.first
            }
            let values = try #require(try point()).attributes
            let isTyped = file != "a.csv"
            #expect(values["AGS"] == (isTyped ? .text("11000") : .integer(11000)))
            #expect(values["Code"] == (isTyped ? .text("1E5") : .integer(100_000)))
            #expect(values["Mixed"] == (isTyped ? .text("1.10") : .number(1.1)))
            #expect(values["n"] == .integer(5))
            let isBool = ["a.xlsx", "a.ods"].contains(file)
            #expect(values["open"] == (isBool ? .bool(true) : .integer(1)))
            let asked = try point { $0.kinds = ["AGS": .integer, "open": .text] }
            #expect(asked?.attributes["AGS"] == .integer(11000))
            #expect(asked?.attributes["open"] == .text("1"))
        }
    }

    @Test(arguments: ["a.shp", "a.mif", "a.dbf", "a.kml"])
    func `a file is read in the encoding that is named, or it is told that it is not`(
        file: String
    ) throws {
        let text = "lon,lat,name\n8.5,47.25,Zürich\n"
        try withFile(Array(text.utf8), named: "t.csv") { source throws in
            let folder = URL(filePath: source).deletingLastPathComponent()
            let path = folder.appending(path: file).path
            let located = file == "a.dbf" ? [] : GDALReaderTests.located
            let written = ["a.shp", "a.dbf"].contains(file) ? ["-lco", "ENCODING=CP1252"] : []
            #expect(try Program.run(["ogr2ogr"] + located + written + [path, source]))
            if !written.isEmpty {
                try? FileManager.default.removeItem(at: folder.appending(path: "a.cpg"))
                // The byte that tells the encoding.
                let table = folder.appending(path: "a.dbf")
                var bytes = try Data(contentsOf: table)
                bytes[29] = 0
                try bytes.write(to: table)
            }
            let (points, report) = try Samples.read(path: path) {
                $0.encoding = TextEncoding(named: file == "a.mif" ? "UTF-8" : "windows-1252")
                $0.format = file == "a.dbf" ? .gdal : nil
            }
            let name = points.first?.attributes["name"] ?? points.first?.attributes["Name"]
            #expect(name == .text("Zürich"))
            #expect(report.notes.contains { $0.contains("is not used") } == (file == "a.kml"))
        }
    }
}
