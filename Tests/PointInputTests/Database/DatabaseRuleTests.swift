import Foundation
import PointInput
import Points
import SQLite
import TestSupport
import Testing

/// What databases may be besides plain: other encodings, keys, cut files, systems by their text.
struct DatabaseRuleTests {
    @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func `texts are the same in every encoding of a database`(encoding: String) throws {
        let (points, _) = try DatabaseReaderTests.read([
            "PRAGMA encoding = '\(encoding)'", "CREATE TABLE t (lon, lat, name TEXT)",
            "INSERT INTO t VALUES (1, 2, 'Zürich 🗺'), (3, 4, ''), (5, 6, 'a' || char(0) || 'b')",
        ])
        #expect(
            points.map { $0.attributes["name"] }
                == [.text("Zürich 🗺"), .text(""), .text("a\0b")])
    }

    @Test func `a text that is not valid UTF-8 is told of`() throws {
        let statements = [
            "CREATE TABLE t (lon, lat, name TEXT)",
            "INSERT INTO t VALUES (1, 2, CAST(x'61ff62' AS TEXT)), (3, 4, 'b')",
        ]
        let error = #expect(throws: InputError.self) { try DatabaseReaderTests.read(statements) }
        #expect(error?.description.contains("row 1 has a text that is not valid UTF-8") == true)
        let (points, report) = try DatabaseReaderTests.read(statements) { $0.tolerance = .all }
        #expect(points == [ReadPoint(3, 4, ["name": .text("b")])])
        #expect(report.rejected == [.invalidUTF8: 1])
    }

    @Test func `the key is an id and an attribute, in a GeoPackage an id alone`() throws {
        let key = [
            "CREATE TABLE t (id INTEGER PRIMARY KEY, lon, lat)", "INSERT INTO t VALUES (7, 1, 2)",
        ]
        #expect(
            try DatabaseReaderTests.read(key).points == [
                ReadPoint(1, 2, id: 7, ["id": .integer(7)])
            ])
        let package = ["CREATE TABLE gpkg_contents (table_name)"]
        #expect(try DatabaseReaderTests.read(package + key).points == [ReadPoint(1, 2, id: 7, [:])])
        let negative = key + ["UPDATE t SET id = -7"]
        let (points, report) = try DatabaseReaderTests.read(negative)
        #expect(points == [ReadPoint(1, 2, ["id": .integer(-7)])])
        #expect(!report.notes.contains { $0.contains("has no id") })
        let composite = [
            "CREATE TABLE t (a INTEGER, b INTEGER, lon, lat, PRIMARY KEY (a, b))",
            "INSERT INTO t VALUES (7, 8, 1, 2)",
        ]
        for others in [[], package] {
            #expect(
                try DatabaseReaderTests.read(others + composite).points
                    == [ReadPoint(1, 2, ["a": .integer(7), "b": .integer(8)])])
        }
    }

    @Test func `a database that is cut within its last page is refused`() throws {
        let statements = [
            "CREATE TABLE t (lon, lat, name)", "INSERT INTO t VALUES (1, 2, 'a'), (3, 4, 'b')",
        ]
        try withFile(named: "a.sqlite") { path in
            do {
                let database = try Database(path: path, mode: .readWriteCreate)
                for statement in statements { try database.execute(statement) }
            }
            let whole = try Data(contentsOf: URL(filePath: path))
            #expect(try Samples.read(path: path).points.count == 2)
            try whole.dropLast().write(to: URL(filePath: path))
            let error = #expect(throws: InputError.self) { try Samples.read(path: path) }
            #expect(error?.description.contains("is cut off") == true, "\(error as Any)")
            // A length that another program did not keep up to date says nothing.
            var old = whole
            old.replaceSubrange(28..<32, with: [0, 0, 1, 0])
            old[95] ^= 1
            try old.write(to: URL(filePath: path))
            #expect(try Samples.read(path: path).points.count == 2)
        }
    }

    @Test(arguments: ["NULL, 2", "1, NULL", "'', 2", "1, ' '", "NULL, NULL"])
    func `a row with one coordinate only has no position`(values: String) throws {
        let (points, report) = try DatabaseReaderTests.read([
            "CREATE TABLE t (lon, lat)", "INSERT INTO t VALUES (1, 2), (\(values))",
        ])
        #expect(points.count == 1 && report.rejected == [.noLocation: 1])
    }

    static let zone32 =
        #"PROJCS["mine",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],"#
        + #"PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],"#
        + #"PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],"#
        + #"PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["USER","100001"]]"#

    /// A table whose register has a system by a number of a stranger, and by its text.
    private static func registered(_ columns: String, _ text: String) -> [String] {
        let isPackage = columns.hasPrefix("definition")
        let point = WKB.sql(WKB.point(500_000, 5_500_000))
        return
            (isPackage
            ? [
                "CREATE TABLE gpkg_geometry_columns (table_name, column_name, srs_id, geometry_type_name)",
                "INSERT INTO gpkg_geometry_columns VALUES ('t', 'g', 100001, 'POINT')",
                "CREATE TABLE gpkg_spatial_ref_sys (srs_id, organization, organization_coordsys_id, \(columns))",
                "INSERT INTO gpkg_spatial_ref_sys VALUES (100001, 'USER', 100001, '\(text)')",
            ]
            : [
                "CREATE TABLE geometry_columns (f_table_name, f_geometry_column, srid, geometry_type)",
                "INSERT INTO geometry_columns VALUES ('t', 'g', 100001, 1)",
                "CREATE TABLE spatial_ref_sys (srid, auth_name, auth_srid, \(columns))",
                "INSERT INTO spatial_ref_sys VALUES (100001, 'USER', 100001, '\(text)')",
            ]) + ["CREATE TABLE t (g)", "INSERT INTO t VALUES (\(point))"]
    }

    @Test(arguments: [
        ("definition", zone32), ("srtext", zone32),
        ("proj4text", "+proj=utm +zone=32 +datum=WGS84"),
    ])
    func `a system that PROJ does not know by its number is read by its text, or as --crs says`(
        column: String, text: String
    ) throws {
        let (points, _) = try DatabaseReaderTests.read(Self.registered(column, text))
        #expect(points.map { $0.x.rounded() } == [9] && points.map { $0.y.rounded() } == [50])
        let unknown = Self.registered(column, "")
        #expect(throws: InputError.self) { try DatabaseReaderTests.read(unknown) }
        let (asked, report) = try DatabaseReaderTests.read(unknown) {
            $0.crs = CoordinateSystem(authority: "EPSG", code: "32633")
        }
        #expect(asked.map { $0.x.rounded() } == [15])
        #expect(report.notes.contains { $0.contains("cannot be used") }, "\(report.notes)")
        #expect(!report.notes.contains { $0.contains("is not used") })
        let collection =
            #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:99999"}},"#
            + #""features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[500000,5500000]}}]}"#
        var options = InputOptions()
        #expect(throws: InputError.self) { try Reading(collection, options: options) }
        options.crs = CoordinateSystem(authority: "EPSG", code: "32633")
        #expect(try Reading(collection, options: options).longitude(0).rounded() == 15)
    }
}
