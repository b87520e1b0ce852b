import Foundation
import Platform
import PointInput
import Points

/// How fast a million rows are read from databases and FlatGeobuf files that GDAL wrote.
enum SourcesBenchmark: Benchmark {
    static let name = "sources"
    static let summary =
        "a million points of GeoPackage, SQLite and FlatGeobuf (needs ogr2ogr)"

    private static let count = 1_000_000
    private static let formats = [
        (driver: "FlatGeobuf", file: "points.fgb"),
        ("SQLite", "points.sqlite"), ("GPKG", "points.gpkg"),
    ]

    static func run(_ session: inout BenchSession) throws {
        let folder = try WorkFolder()
        let source = try folder.points(count, as: .csv)
        for (driver, file) in formats {
            let path = folder.path(file)
            guard write(driver, path, from: source) else {
                print("\(driver): skipped, as ogr2ogr is not installed or knows no such format")
                continue
            }
            let size = try FileStatus.byteCount(at: path)
            var points = 0
            let time = try session.seconds(runs: 3) {
                points = try PointTable.read([.file(path)]).table.count
            }
            precondition(points == count)
            session.figure("\(driver) points", Double(count) / time / 1e6, "M/s")
            session.figure("\(driver) bytes", Double(size) / time / 1e6, "MB/s")
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private static func write(_ driver: String, _ path: String, from source: String) -> Bool {
        // An index of a database takes minutes and is not needed.
        let noIndex = driver == "FlatGeobuf" ? [] : ["-lco", "SPATIAL_INDEX=NO"]
        let program = ChildProgram(
            [
                "ogr2ogr", "-f", driver, path, source, "-nln", "waypoints", "-a_srs", "EPSG:4326",
                "-oo", "X_POSSIBLE_NAMES=lon", "-oo", "Y_POSSIBLE_NAMES=lat",
                "-oo", "AUTODETECT_TYPE=YES", "-oo", "KEEP_GEOM_COLUMNS=NO",
                "-gt", "200000",
            ] + noIndex)
        return (try? program.run()) != nil
    }
}
