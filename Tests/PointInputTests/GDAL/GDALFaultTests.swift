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
}
