import Foundation
import PointInput
import Points
import SQLite
import Testing

/// Databases whose own schema would do what a reader must not.
struct ForeignSchemaTests {
    private func complaint(_ statements: [String], _ query: TableQuery? = nil) -> String {
        do {
            _ = try DatabaseReaderTests.read(statements) {
                $0.query = query
                $0.viewRows = 1_000
            }
            return ""
        } catch let error as InputError {
            return "\(error)\n\(error.advice ?? "")"
        } catch { return "\(error)" }
    }

    private let towns = [
        "CREATE TABLE towns (lon REAL, lat REAL)", "INSERT INTO towns VALUES (1, 2), (3, 4)",
    ]

    @Test func `a view that calls a costly function is refused, a plain one is read`() throws {
        let views = [
            "CREATE VIEW costly AS SELECT lon, lat, zeroblob(1 << 30) AS z FROM towns",
            "CREATE VIEW plain AS SELECT lon, lat, upper('a') || lon AS name FROM towns",
        ]
        let answer = complaint(towns + views, .table("costly"))
        #expect(
            answer.contains("the view costly calls the function zeroblob, which is not allowed"))
        #expect(answer.contains("--sql"))
        let plain = try DatabaseReaderTests.read(towns + views) { $0.query = .table("plain") }
        #expect(plain.points.map(\.attributes["name"]) == [.text("A1.0"), .text("A3.0")])
        #expect(
            try DatabaseReaderTests.read(towns) {
                $0.query = .sql("SELECT lon, lat, printf('%d', lon) AS n FROM towns")
            }.points.count == 2)
    }

    @Test func `a view without end ends at a limit that is told`() {
        let endless =
            "CREATE VIEW v AS SELECT a.lon, a.lat FROM towns AS a"
            + (1...25).map { ", towns AS a\($0)" }.joined()
        let answer = complaint(towns + [endless], .table("v"))
        #expect(answer.contains("its view has more than 8192 rows"), "\(answer)")
        let recursive =
            "CREATE VIEW v AS WITH RECURSIVE c(lon, lat) AS (SELECT 1, 2 UNION ALL "
            + "SELECT lon, lat FROM c) SELECT lon, lat FROM c"
        #expect(complaint(towns + [recursive], .table("v")).contains("is recursive"))
    }

    @Test func `a column that is computed when it is read is left out and named`() throws {
        let (points, report) = try DatabaseReaderTests.read([
            "CREATE TABLE t (lon, lat, n INT, b AS (zeroblob(n)), c AS (n + 1) STORED)",
            "INSERT INTO t (lon, lat, n) VALUES (1, 2, 3)",
        ])
        #expect(points == [ReadPoint(1, 2, ["n": .integer(3), "c": .integer(4)])])
        #expect(report.notes.contains { $0.contains("left out the column b, which is computed") })
    }

    @Test func `an archive of tiles and a SpatiaLite database are named`() {
        let archive = [
            "CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)",
            "CREATE TABLE metadata (name, value)",
        ]
        #expect(complaint(archive).contains("is an archive of tiles, not a set of points"))
        let spatiaLite = [
            "CREATE TABLE spatialite_history (a)", "CREATE TABLE towns (id, geometry BLOB)",
        ]
        let answer = complaint(spatiaLite, .table("towns"))
        #expect(answer.contains("is a SpatiaLite database") && answer.contains("ogr2ogr"))
    }

    @Test(arguments: [
        (100_000, "NONE", 100_000, "GEOGCS[\"WGS 84 (CRS84)\",AUTHORITY[\"OGC\",\"CRS84\"]]"),
        (0, "NONE", 0, "undefined"), (-1, "NONE", -1, "undefined"),
        (99_999, "NONE", 99_999, "LOCAL_CS[\"Undefined SRS\"]"),
        (4_326, "EPSG", 4_326, "GEOGCS[…]"),
        (7, "OGC", 84, ""),
    ])
    func `a GeoPackage in CRS84, or in none that is told, is in degrees`(
        system: (number: Int, organization: String, code: Int, definition: String)
    ) throws {
        let point = WKB.sql(WKB.point(10, 50))
        let (points, _) = try DatabaseReaderTests.read([
            "CREATE TABLE gpkg_geometry_columns "
                + "(table_name, column_name, geometry_type_name, srs_id, z, m)",
            "CREATE TABLE gpkg_spatial_ref_sys "
                + "(srs_name, srs_id, organization, organization_coordsys_id, definition)",
            "INSERT INTO gpkg_geometry_columns VALUES ('t', 'geom', 'POINT', \(system.number), 0, 0)",
            "INSERT INTO gpkg_spatial_ref_sys VALUES ('', \(system.number), "
                + "'\(system.organization)', \(system.code), '\(system.definition)')",
            "CREATE TABLE t (geom)", "INSERT INTO t VALUES (\(point))",
        ])
        #expect(points == [ReadPoint(10, 50, [:])])
    }

    @Test func `a database that another program writes to says so`() throws {
        let error = #expect(throws: InputError.self) {
            try withFile(named: "a.sqlite") { path in
                let other = try Database(path: path, mode: .readWriteCreate)
                try other.execute("CREATE TABLE t (lon, lat); BEGIN EXCLUSIVE")
                _ = try PointTable.read([.file(path)])
            }
        }
        #expect(error?.description.contains("another program is writing to it") == true)
        #expect(error?.advice?.contains("read a copy") == true)
    }

    @Test func `a database that gives nothing can be stopped`() throws {
        let flag = Flag()
        flag.set()
        var options = InputOptions()
        options.isCancelled = { flag.isSet }
        options.query = .sql(
            "SELECT 1 AS lon, 2 AS lat FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL "
                + "SELECT n + 1 FROM c) SELECT n FROM c WHERE n < 0)")
        let error = #expect(throws: InputError.self) {
            try withFile(named: "a.sqlite") { path in
                try Database(path: path, mode: .readWriteCreate).execute("CREATE TABLE t (a)")
                _ = try PointTable.read([.file(path, named: "a.sqlite")], options: options)
            }
        }
        #expect(error == .cancelled(input: "a.sqlite"))
    }
}
