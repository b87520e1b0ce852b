import Foundation
import PointInput
import Points
import TestSupport
import Testing

struct GPXReaderTests {
    static func read(
        _ document: String, _ change: (inout InputOptions) -> Void = { _ in }
    ) throws -> (points: [ReadPoint], report: InputReport) {
        try withFile(Array(document.utf8), named: "a.gpx") { try Samples.read(path: $0, change) }
    }

    static func gpx(_ content: String) -> String {
        "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\">\n\(content)\n</gpx>\n"
    }

    @Test func `a file of GDAL's gives what it was made from, as far as it says`() throws {
        let (points, report) = try Samples.read("kinds.gpx")
        #expect(points.map(\.x) == KindsSample.places.map(\.0))
        #expect(points.map(\.y) == KindsSample.places.map(\.1))
        // GDAL writes big integers as doubles, and dates and truth values in its own way.
        #expect(points.map { $0.attributes["n"] } == (1...4).map { .integer($0) })
        #expect(
            points.map { $0.attributes["real"] } == [
                .number(0.25), .number(-1e-7), nil, .number(3.5),
            ])
        #expect(
            points.map { $0.attributes["text"] } == [
                .text("Zürich"), .text(""), nil, .text("1 < 2 & 'b'"),
            ])
        #expect(report.records == 4 && report.kept == 4)
    }

    @Test func `every simple child of a waypoint is an attribute`() throws {
        let (points, report) = try Self.read(
            Self.gpx(
                """
                <metadata><name>file</name></metadata>
                <wpt lat="47.5" lon="-8.25"><ele>12.50</ele><time>2024-01-01T00:00:00Z</time>
                <name>A &amp; B</name><sat>7</sat><link href="http://a/?b&amp;c"><text>t</text></link>
                <extensions><x:code>007</x:code><x:n>1</x:n><x:name>other</x:name><x:nan>inf</x:nan>
                <x:group><x:depth>3</x:depth></x:group></extensions></wpt>
                <wpt lat='0' lon='0'><name/><extensions><code>12</code><n>1e2</n></extensions>
                <link href="b"><text>no value</text></link></wpt>
                """))
        #expect(
            points == [
                ReadPoint(
                    -8.25, 47.5,
                    [
                        "ele": .number(12.5), "time": .text("2024-01-01T00:00:00Z"),
                        "name": .text("A & B"), "sat": .integer(7),
                        "link": .text("http://a/?b&c"), "code": .text("007"), "n": .integer(1),
                        "x:name": .text("other"), "depth": .integer(3), "nan": .text("inf"),
                    ]),
                ReadPoint(
                    0, 0,
                    [
                        "name": .text(""), "code": .text("12"), "n": .integer(100),
                        "link": .text("b"),
                    ]),
            ])
        #expect(report.records == 2 && report.kept == 2)
    }

    @Test func `routes and tracks are no points`() throws {
        let document = Self.gpx(
            """
            <wpt lat="1" lon="2"/>
            <rte><name>r</name><rtept lat="3" lon="4"><name>x</name></rtept></rte>
            <trk><trkseg><trkpt lat="3" lon="4"/></trkseg></trk>
            """)
        let error = #expect(throws: InputError.self) { try Self.read(document) }
        #expect(
            error?.description.hasSuffix(
                "a.gpx:4: waypoint 2 is a route; clusters are made of points") == true)
        let (points, report) = try Self.read(document) { $0.skipsNonPoints = true }
        #expect(points == [ReadPoint(2, 1, [:])])
        #expect(report.records == 3 && report.rejected == [.notAPoint: 2])
    }

    @Test func `bad coordinates are located by their lines`() throws {
        let document = Self.gpx(
            """
            <wpt lat="1" lon="2"/>
            <wpt lat="1"/>
            <wpt lat="x" lon="2"/>
            <wpt lat="100" lon="2"/>
            """)
        let error = #expect(throws: InputError.self) { try Self.read(document) }
        #expect(error?.description.contains("a.gpx:4: waypoint 2 has no lat or no lon") == true)
        let (points, report) = try Self.read(document) { $0.tolerance = .all }
        #expect(points.count == 1 && report.records == 4)
        #expect(report.rejected == [.badCoordinates: 2, .latitudeOutOfRange: 1])
        #expect(report.samples.map(\.location.line) == [4, 5, 6])
    }

    @Test func `a document that ends early is cut off in its last waypoint`() throws {
        let document = Self.gpx(
            "<wpt lat=\"1\" lon=\"2\"/>\n<wpt lat=\"3\" lon=\"4\"><name>a</name>")
        let cut = String(document.dropLast("\n</gpx>\n".count))
        let error = #expect(throws: InputError.self) { try Self.read(cut) }
        #expect(error?.description.contains("a.gpx:4: waypoint 2 is cut off") == true)
        let (points, report) = try Self.read(cut) { $0.tolerance = .all }
        #expect(points == [ReadPoint(2, 1, [:])])
        #expect(report.records == 2 && report.rejected == [.truncated: 1])
    }

    @Test func `what is not well-formed or no GPX stops the run`() throws {
        for (document, text) in [
            (Self.gpx("<wpt lat='1' lon='2'></wp>"), "line 3: </wp> stands where </wpt> should"),
            (Self.gpx("<wpt lat='1' lon='2'><name>&lol;</name></wpt>"), "the entity &lol;"),
            ("<kml><gpx/></kml>", "the root element is <kml>, not <gpx>"),
        ] {
            let error = #expect(throws: InputError.self) {
                try Self.read(document) { $0.tolerance = .all }
            }
            #expect(error?.description.contains(text) == true)
        }
    }
}
