import Foundation
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
        let folder = URL.temporaryDirectory.appending(path: "covey-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "points.csv")
        try Data(table.utf8).write(to: source)
        for (driver, file) in formats {
            let path = folder.appending(path: file).path
            guard try write(driver, path, from: source.path) else {
                print("\(driver): skipped, as ogr2ogr is not installed or knows no such format")
                continue
            }
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
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

    private static let noIndex = "SPATIAL_INDEX=NO"

    /// Points on a lattice, each with a text, a whole number and a fraction.
    private static var table: String {
        var text = "lon,lat,name,rank,value\n"
        for row in 0..<count {
            let longitude = Double(row % 3_599) / 10 - 179.9
            let latitude = Double(row / 3_599 % 1_599) / 10 - 79.9
            text += "\(longitude),\(latitude),place \(row),\(row % 12),\(Double(row) / 8)\n"
        }
        return text
    }

    private static func write(_ driver: String, _ path: String, from source: String) throws -> Bool
    {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "ogr2ogr", "-f", driver, path, source, "-nln", "waypoints", "-a_srs", "EPSG:4326",
            "-oo", "X_POSSIBLE_NAMES=lon", "-oo", "Y_POSSIBLE_NAMES=lat",
            "-oo", "AUTODETECT_TYPE=YES", "-oo", "KEEP_GEOM_COLUMNS=NO",
            "-gt", "200000",
        ]
        // An index of a database takes minutes and is not needed.
        if driver != "FlatGeobuf" { process.arguments?.append(contentsOf: ["-lco", noIndex]) }
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
