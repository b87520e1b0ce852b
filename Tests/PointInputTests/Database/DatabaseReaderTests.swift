import Foundation
import PointInput
import Points
import SQLite
import TestSupport
import Testing

struct DatabaseReaderTests {
    /// Makes a database by SQL and reads it.
    static func read(
        _ statements: [String], _ change: (inout InputOptions) -> Void = { _ in }
    ) throws -> (points: [ReadPoint], report: InputReport) {
        try withFile(named: "a.sqlite") { path in
            do {
                let database = try Database(path: path, mode: .readWriteCreate)
                for statement in statements { try database.execute(statement) }
            }
            return try Samples.read(path: path, change)
        }
    }

    static let towns = [
        "CREATE TABLE towns (id INTEGER PRIMARY KEY, name TEXT, Lon REAL, LAT REAL, pic BLOB)",
        """
        INSERT INTO towns VALUES (7, 'a', 1, 2, x'00'), (9, NULL, 3.5, '4.25', NULL),
        (11, 'c', NULL, NULL, NULL)
        """,
    ]

    @Test func `a GeoPackage and a database of GDAL's give what they were made from`() throws {
        let package = try Samples.read("kinds.gpkg")
        #expect(package.points == KindsSample.points(ids: true, second: ".000Z"))
        #expect(package.report.records == 4 && package.report.kept == 4)
        var numbered = KindsSample.points(ids: true)
        for row in numbered.indices {
            numbered[row].attributes["ogc_fid"] = .integer(Int64(row) + 1)
        }
        #expect(try Samples.read("kinds.sqlite").points == numbered)
    }

    @Test func `points of every shape are kept, and what is no point is counted`() throws {
        let error = #expect(throws: InputError.self) { try Samples.read("shapes.gpkg") }
        #expect(error?.description.contains("row 4 is a LineString") == true)
        let (points, report) = try Samples.read("shapes.gpkg") { $0.skipsNonPoints = true }
        #expect(
            points == [
                ReadPoint(1, 2, id: 1, ["n": .integer(1)]),
                ReadPoint(4, 5, id: 1, ["n": .integer(1)]),
                ReadPoint(7, 8, id: 2, ["n": .integer(2)]),
            ])
        #expect(report.records == 4 && report.rejected == [.noLocation: 1, .notAPoint: 1])
    }

    @Test func `columns of coordinates are found by their names or by the options`() throws {
        let expected = [
            ReadPoint(1, 2, id: 7, ["id": .integer(7), "name": .text("a")]),
            ReadPoint(3.5, 4.25, id: 9, ["id": .integer(9)]),
        ]
        let (points, report) = try Self.read(Self.towns)
        #expect(points == expected)
        #expect(report.records == 3 && report.rejected == [.noLocation: 1])
        let renamed = Self.towns + ["ALTER TABLE towns RENAME lon TO east"]
        #expect(throws: InputError.self) { try Self.read(renamed) }
        #expect(
            try Self.read(renamed) {
                $0.xColumn = "East"
                $0.yColumn = "lat"
            }.points == expected)
        // One that is named counts more than a geometry; the other is found by its name.
        let both = Self.towns + ["ALTER TABLE towns RENAME pic TO geom"]
        for change: (inout InputOptions) -> Void in [
            { $0.xColumn = "lon" }, { $0.yColumn = "lat" },
        ] {
            #expect(try Self.read(both, change).points.map(\.x) == [1, 3.5])
        }
        let error = #expect(throws: InputError.self) {
            try Self.read(renamed) {
                $0.xColumn = "west"
                $0.yColumn = "lat"
            }
        }
        #expect(error?.description.contains("west") == true)
        #expect(error?.advice?.contains("east") == true)
    }

    @Test func `an id may come from another column, and the key is an attribute then`() throws {
        let (points, _) = try Self.read(
            Self.towns + ["DELETE FROM towns WHERE id > 7", "UPDATE towns SET name = 42"]
        ) { $0.idAttribute = "name" }
        #expect(points == [ReadPoint(1, 2, id: 42, ["id": .integer(7)])])
    }

    @Test func `a query is read like a table, with booleans by their declared type`() throws {
        let statements = [
            "CREATE TABLE \"odd \"\"t\" (k TEXT PRIMARY KEY, open BOOLEAN, g BLOB)",
            """
            INSERT INTO "odd ""t" VALUES ('a', 1, \(WKB.sql(WKB.point(1, 2)))),
            ('b', 0, \(WKB.sql(WKB.point(3, 4)))), ('c', 2, NULL)
            """,
        ]
        let (points, report) = try Self.read(statements) {
            $0.query = .sql("SELECT k, open, g AS geom FROM \"odd \"\"t\" WHERE k <> 'c'")
        }
        #expect(
            points == [
                ReadPoint(1, 2, ["k": .text("a"), "open": .bool(true)]),
                ReadPoint(3, 4, ["k": .text("b"), "open": .bool(false)]),
            ])
        #expect(report.records == 2)
        let broken = #expect(throws: InputError.self) {
            try Self.read(statements) { $0.query = .sql("SELECT missing") }
        }
        #expect(broken?.description.contains("the SQL query: no such column: missing") == true)
        #expect(broken?.advice == "it must be one SELECT; there are odd \"t")
        #expect(throws: InputError.self) {
            try Self.read(statements) { $0.query = .sql("DELETE FROM \"odd \"\"t\"") }
        }
    }

    @Test func `one of several tables must be chosen`() throws {
        let statements =
            Self.towns + [
                "CREATE TABLE plain (a)",
                "CREATE VIEW villages AS SELECT lon AS x, lat AS y FROM towns",
            ]
        let error = #expect(throws: InputError.self) { try Self.read(statements) }
        #expect(error?.advice == "choose one with --table: towns, villages")
        #expect(try Self.read(statements) { $0.query = .table("VILLAGES") }.points.count == 2)
        let missing = #expect(throws: InputError.self) {
            try Self.read(statements) { $0.query = .table("cities") }
        }
        #expect(missing?.description.contains("has no table cities") == true)
        #expect(throws: InputError.self) {
            try Self.read(statements) { $0.query = .table("plain") }
        }
        #expect(throws: InputError.empty(input: "")) {
            do { _ = try Self.read(["CREATE TABLE t (a)", "DROP TABLE t"]) } catch {
                guard case InputError.empty = error else { throw error }
                throw InputError.empty(input: "")
            }
        }
    }

    @Test func `reference systems are told by register or geometry, others refused`() throws {
        func read(_ system: UInt32, _ options: CoordinateSystem? = nil) throws -> [ReadPoint] {
            let x = options == nil && system == 4326 ? 10 : 1_113_194.9079327357
            let bytes = [1] + WKB.bytes(UInt32(0x2000_0001)) + WKB.bytes(system) + WKB.xy(x, 0)
            return try Self.read([
                "CREATE TABLE t (geom)", "INSERT INTO t VALUES (\(WKB.sql(bytes)))",
            ]) {
                $0.crs = options
            }.points
        }
        #expect(try read(4326) == [ReadPoint(10, 0, [:])])
        #expect(try read(3857) == [ReadPoint(10, 0, [:])])
        #expect(try read(0, .webMercator) == [ReadPoint(10, 0, [:])])
        let error = #expect(throws: InputError.self) { try read(99999) }
        #expect(error?.description.contains("EPSG:99999") == true)
    }

    /// A GeoPackage's register, and tables of one point each with the number of a system in it.
    private static func package(_ tables: [(name: String, system: UInt32, rows: Int)]) -> [String] {
        let head: [UInt8] = [0x47, 0x50, 0, 1]
        return [
            "CREATE TABLE gpkg_geometry_columns (table_name, column_name, srs_id, geometry_type_name)",
            "CREATE TABLE gpkg_spatial_ref_sys (srs_id, organization, organization_coordsys_id, definition)",
            "INSERT INTO gpkg_spatial_ref_sys VALUES (3857, 'EPSG', 3857, '')",
        ]
            + tables.flatMap { table in
                let bytes = head + WKB.bytes(table.system) + WKB.point(1_113_194.9079327357, 0)
                return [
                    "INSERT INTO gpkg_geometry_columns VALUES ('\(table.name)', 'g', 3857, 'POINT')",
                    "CREATE TABLE \(table.name) (g)",
                ]
                    + [String](
                        repeating: "INSERT INTO \(table.name) VALUES (\(WKB.sql(bytes)))",
                        count: table.rows)
            }
    }

    @Test(arguments: [3857, 4326, 99999] as [UInt32])
    func `the system in a register goes before those in geometries`(system: UInt32) throws {
        let points = try Self.read(Self.package([("t", system, 1)])).points
        #expect(points == [ReadPoint(10, 0, [:])])
    }

    @Test func `a table without rows is no choice`() throws {
        func read(_ rows: Int...) throws -> Int {
            let tables = rows.enumerated().map { (name: "t\($0)", system: UInt32(3857), rows: $1) }
            return try Self.read(Self.package(tables)).points.count
        }
        #expect(try read(0, 2, 0) == 2)
        let error = #expect(throws: InputError.self) { try read(1, 0, 1) }
        #expect(error?.advice == "choose one with --table: t0, t2")
        let empty = #expect(throws: InputError.self) { try read(0, 0) }
        #expect(empty?.description.hasSuffix("holds no data") == true)
    }

    @Test func `damaged geometries are located and counted`() throws {
        let statements = [
            "CREATE TABLE t (fid INTEGER PRIMARY KEY, geometry)",
            """
            INSERT INTO t (geometry) VALUES (\(WKB.sql(WKB.point(1, 2)))), (x'0101'), ('POINT'),
            (\(WKB.sql(WKB.point(1, 200)))), (\(WKB.sql(WKB.point(.nan, .nan))))
            """,
        ]
        let error = #expect(throws: InputError.self) { try Self.read(statements) }
        #expect(error?.description.contains("row 2 has a damaged geometry") == true)
        let (points, report) = try Self.read(statements) { $0.tolerance = .all }
        #expect(points == [ReadPoint(1, 2, id: 1, ["fid": .integer(1)])])
        #expect(
            report.rejected == [.badCoordinates: 2, .latitudeOutOfRange: 1, .noLocation: 1])
    }

    @Test func `a database that is cut or damaged is an error, never a crash`() throws {
        let whole = Array(try Data(contentsOf: URL(filePath: Samples.path("kinds.gpkg"))))
        var random = SeededRandom(seed: 4)
        for count in [100, 1_024, 5_000, whole.count - 2_048] {
            _ = try withFile(Array(whole.prefix(count)), named: "a.gpkg") { path in
                #expect(throws: InputError.self) { try Samples.read(path: path) }
            }
        }
        for _ in 0..<60 {
            var bytes = whole
            for _ in 0..<20 {
                let place = 100 + Int(random.next() % UInt64(bytes.count - 100))
                bytes[place] = UInt8(truncatingIfNeeded: random.next())
            }
            try withFile(bytes, named: "a.gpkg") { path in
                do { _ = try Samples.read(path: path) } catch is InputError {}
            }
        }
    }
}
