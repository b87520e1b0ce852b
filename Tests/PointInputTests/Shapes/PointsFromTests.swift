import Foundation
import PointInput
import Points
import TestSupport
import Testing

/// One point for each line and area, whatever the format spells them in.
struct PointsFromTests {
    /// A shape as two formats spell it, and where its points are by rule.
    struct Shape {
        var text: String
        var json: String
        var centroid: SIMD2<Double>
        var inside: SIMD2<Double>
        var first: SIMD2<Double>

        func place(_ rule: PointsFrom) -> SIMD2<Double> {
            switch rule {
            case .centroid: centroid
            case .inside: inside
            case .outline: []
            case .first: first
            }
        }
    }

    static let shapes = [
        Shape(
            text: "LINESTRING (0 0, 4 0, 4 2)",
            json: #"{"type":"LineString","coordinates":[[0,0],[4,0],[4,2]]}"#,
            centroid: [8 / 3.0, 1 / 3.0], inside: [3, 0], first: [0, 0]),
        // A U: its centroid lies between the arms.
        Shape(
            text: "POLYGON ((0 0, 6 0, 6 6, 5 6, 5 1, 1 1, 1 6, 0 6, 0 0))",
            json: #"""
                {"type":"Polygon","coordinates":
                [[[0,0],[6,0],[6,6],[5,6],[5,1],[1,1],[1,6],[0,6],[0,0]]]}
                """#.replacing("\n", with: ""),
            centroid: [3, 38 / 16.0], inside: [0.5, 3.5], first: [0, 0]),
        // A hole in the right half, that turns as the ring does.
        Shape(
            text: "POLYGON ((0 0, 8 0, 8 4, 0 4, 0 0), (4 1, 7 1, 7 3, 4 3, 4 1))",
            json: #"""
                {"type":"Polygon","coordinates":
                [[[0,0],[8,0],[8,4],[0,4],[0,0]],[[4,1],[7,1],[7,3],[4,3],[4,1]]]}
                """#.replacing("\n", with: ""),
            centroid: [(32 * 4 - 6 * 5.5) / 26, 2], inside: [2, 2], first: [0, 0]),
        // An area that is cut at the antimeridian, its larger half in the east.
        Shape(
            text: "MULTIPOLYGON (((-180 0, -179 0, -179 2, -180 2, -180 0)), "
                + "((177 0, 180 0, 180 2, 177 2, 177 0)))",
            json: #"""
                {"type":"MultiPolygon","coordinates":[[[[-180,0],[-179,0],[-179,2],[-180,2],[-180,0]]],
                [[[177,0],[180,0],[180,2],[177,2],[177,0]]]]}
                """#.replacing("\n", with: ""),
            centroid: [(2 * -179.5 + 6 * 178.5) / 8, 1], inside: [178.5, 1], first: [-180, 0]),
        // Of a collection the areas count, though they are not first.
        Shape(
            text: "GEOMETRYCOLLECTION (POINT (9 9), LINESTRING (5 5, 6 6), "
                + "POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0)))",
            json: #"""
                {"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[9,9]},
                {"type":"LineString","coordinates":[[5,5],[6,6]]},
                {"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}]}
                """#.replacing("\n", with: ""),
            centroid: [1, 1], inside: [1, 1], first: [9, 9]),
        Shape(
            text: "MULTILINESTRING ((0 0, 1 0), (10 0, 10 4))",
            json: #"{"type":"MultiLineString","coordinates":[[[0,0],[1,0]],[[10,0],[10,4]]]}"#,
            centroid: [40.5 / 5, 8 / 5.0], inside: [10, 2], first: [0, 0]),
        // Areas and lines without any extent.
        Shape(
            text: "POLYGON ((1 1, 3 1, 1 1, 1 1))",
            json: #"{"type":"Polygon","coordinates":[[[1,1],[3,1],[1,1],[1,1]]]}"#,
            centroid: [2, 1], inside: [3, 1], first: [1, 1]),
        Shape(
            text: "LINESTRING (7 8, 7 8)",
            json: #"{"type":"LineString","coordinates":[[7,8],[7,8]]}"#,
            centroid: [7, 8], inside: [7, 8], first: [7, 8]),
        Shape(
            text: "LINESTRING Z (1 2 9, 3 2 9)",
            json: #"{"type":"LineString","coordinates":[[1,2,9],[3,2,9]]}"#,
            centroid: [2, 2], inside: [2, 2], first: [1, 2]),
    ]

    static func options(_ rule: PointsFrom?) -> InputOptions {
        var options = InputOptions()
        options.pointsFrom = rule
        return options
    }

    /// Holds what was read against what is meant; positions are rounded by the projection.
    static func expect(_ reading: Reading, _ rule: PointsFrom, _ name: String) {
        #expect(reading.table.count == shapes.count, "\(name)")
        for (row, shape) in shapes.enumerated() where row < reading.table.count {
            let place = shape.place(rule)
            // 180 and -180 are the same meridian.
            let east = (reading.longitude(row) - place.x).remainder(dividingBy: 360)
            #expect(abs(east) < 1e-6, "\(name), \(rule): \(shape.text)")
            #expect(abs(reading.latitude(row) - place.y) < 1e-6, "\(name), \(rule): \(shape.text)")
        }
    }

    static var features: String {
        shapes.map { #"{"type":"Feature","properties":{},"geometry":\#($0.json)}"# }
            .joined(separator: "\n")
    }

    static func table(_ cells: [String]) -> String {
        "geom,n\n" + cells.map { "\"\($0.replacing("\"", with: "\"\""))\",1\n" }.joined()
    }

    @Test(arguments: PointsFrom.allCases)
    func `texts of every kind give the same points`(rule: PointsFrom) throws {
        let options = Self.options(rule)
        Self.expect(try Reading(Self.features, options: options), rule, "features")
        let bare = Self.shapes.map(\.json).joined(separator: "\n")
        Self.expect(try Reading(bare, options: options), rule, "bare geometries")
        Self.expect(
            try Reading(Self.table(Self.shapes.map(\.text)), options: options), rule, "WKT")
        Self.expect(
            try Reading(Self.table(Self.shapes.map(\.json)), options: options), rule, "JSON")
        let extended = Self.shapes.map { "SRID=4326;" + $0.text }
        Self.expect(try Reading(Self.table(extended), options: options), rule, "EWKT")
    }

    @Test(arguments: [
        ("features", features), ("WKT", table(shapes.map(\.text))),
        ("JSON", table(shapes.map(\.json))),
    ])
    func `without the option its name is told`(format: (name: String, text: String)) {
        let said = complaint(about: format.text, name: "input") ?? ""
        #expect(said.lowercased().contains("is a linestring; clusters are made of points"))
        #expect(said.contains("use --points-from centroid"))
    }

    @Test func `what is empty has no location`() throws {
        let empty = [
            #"{"type":"Polygon","coordinates":[]}"#, #"{"type":"Polygon","coordinates":[[]]}"#,
            #"{"type":"GeometryCollection","geometries":[]}"#,
        ]
        for rule in PointsFrom.allCases {
            let options = Self.options(rule)
            for text in [
                empty.joined(separator: "\n"), Self.table(empty),
                Self.table(["POLYGON EMPTY", "LINESTRING Z EMPTY", "MULTIPOLYGON (EMPTY)"]),
            ] {
                let report = try Reading(text, options: options).report
                #expect(report.kept == 0 && report.rejected == [.noLocation: 3], "\(text)")
            }
        }
    }

    private static let broken: [(String, String)] = [
        (
            #"{"type":"Polygon","coordinates":[[1,2],[3,4]]}"#,
            "has coordinates that are not those of a Polygon"
        ),
        (#"{"type":"LineString"}"#, "has coordinates that are not those of a LineString"),
        (
            #"{"type":"LineString","coordinates":[[0,0],[1]]}"#,
            "has coordinates that are not those of a LineString"
        ),
        (
            #"{"type":"LineString","coordinates":[[0,0],["1",2]]}"#,
            "has coordinates that are not those of a LineString"
        ),
        (
            #"{"type":"LineString","coordinates":[[0,0],[1,null]]}"#,
            "has coordinates that are not those of a LineString"
        ),
        (
            #"{"type":"GeometryCollection"}"#,
            "has coordinates that are not those of a GeometryCollection"
        ),
        (
            #"{"type":"GeometryCollection","geometries":{}}"#,
            "has coordinates that are not those of a GeometryCollection"
        ),
        (#"{"type":"Circle","coordinates":[[1,2]]}"#, "is a Circle"),
    ]

    @Test func `what is broken is told`() throws {
        for (json, problem) in Self.broken {
            let feature = #"{"type":"Feature","properties":{},"geometry":\#(json)}"#
            let said = complaint(about: feature, name: "a") { $0.pointsFrom = .inside } ?? ""
            #expect(said.contains(problem), "\(json): \(said)")
        }
        for (text, problem) in [
            ("POLYGON ((1 2, 3 4)", "no point"),
            ("LINESTRING (1 2, 3 x)", "no point"), ("LINESTRINGZZ (1 2, 3 4)", "no point"),
            ("GEOMETRYCOLLECTION (CUBE (1 2))", "no point"),
            ("CURVEPOLYGON ((1 2, 3 4, 1 2))", "CURVEPOLYGON"),
        ] {
            let said = complaint(about: Self.table([text]), name: "a") { $0.pointsFrom = .first }
            #expect(said?.contains(problem) == true, "\(text): \(said ?? "-")")
        }
        // Collections in collections, without end.
        let deep = String(repeating: "GEOMETRYCOLLECTION (", count: 5_000) + "POINT (1 2)"
        let said = complaint(about: Self.table([deep]), name: "a") { $0.pointsFrom = .first }
        #expect(said?.contains("no point") == true)
    }

    @Test func `points stay points, and filters see the attributes`() throws {
        let text = "geom,n\n\"MULTIPOINT (1 2, 3 4)\",1\n\"LINESTRING (5 6, 7 6)\",2\n"
        let reading = try Reading(text, options: Self.options(.centroid))
        #expect(
            reading.table.readPoints == [
                ReadPoint(1, 2, ["n": .integer(1)]), ReadPoint(3, 4, ["n": .integer(1)]),
                ReadPoint(6, 6, ["n": .integer(2)]),
            ])
    }
}
