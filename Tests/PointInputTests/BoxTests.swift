import Foundation
import Geometry
import PointInput
import Points
import TestSupport
import Testing

/// Points of a box: all that lie in it, in whatever system and format, and no others.
struct BoxTests {
    private func options(_ box: String) throws -> InputOptions {
        var options = InputOptions()
        options.box = try LonLatBox(box)
        return options
    }

    @Test(arguments: [
        ("10,40,20,50", [1, 2, 3]), ("170,-10,-170,10", [4, 5, 6]), ("-180,-10,-170,10", [5, 6]),
        ("170,-10,180,10", [4, 5]), ("-180,-90,180,90", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("15,45,15,45", [2]), ("0,0,1,1", []),
    ])
    func `what lies in the box is kept, its edges too`(box: String, kept: [Int64]) throws {
        let text = """
            n,lon,lat
            1,10,40
            2,15,45
            3,20,50
            4,175,0
            5,-180,5
            6,190,0
            7,15,50.0001
            8,9.9999,45
            """
        let reading = try Reading(text, options: try options(box))
        let found = (0..<reading.table.count).map { reading.attributes($0)["n"] }
        #expect(found == kept.map { .integer($0) })
        let left = 8 - kept.count
        #expect(reading.report.records == 8 && reading.report.kept == kept.count)
        #expect(reading.report.rejected == (left == 0 ? [:] : [.outside: left]))
    }

    @Test func `a box is of degrees, whatever the coordinates are`() throws {
        var options = try options("13,52,14,53")
        options.crs = .webMercator
        let metres = "x,y\n1492000,6894000\n1392000,6894000\n"
        #expect(try Reading(metres, options: options).report.rejected == [.outside: 1])
        options.crs = CoordinateSystem(authority: "EPSG", code: "25833")
        let utm = "x,y\n391000,5820000\n191000,5820000\n"
        let reading = try Reading(utm, options: options)
        #expect(reading.table.count == 1 && reading.report.rejected == [.outside: 1])
        #expect(abs(reading.longitude(0) - 13.39) < 0.02)
    }

    @Test func `of several points those in the box are kept`() throws {
        let text = #"{"type":"MultiPoint","coordinates":[[1,1],[50,50],[2,2]]}"#
        let reading = try Reading(text, options: try options("0,0,10,10"))
        #expect(reading.table.count == 2 && reading.report.rejected.isEmpty)
        let outside = try Reading(text, options: try options("20,20,30,30"))
        #expect(outside.table.count == 0 && outside.report.rejected == [.outside: 1])
    }

    /// So that the numbers do not depend on how much of a file is read.
    @Test func `what is outside is left out for that, whatever else is wrong with it`() throws {
        var options = try options("0,0,10,10")
        options.filter = nil
        options.weightAttribute = "w"
        let text = "lon,lat,w\n1,1,2\n50,50,-3\n"
        let reading = try Reading(text, options: options)
        #expect(reading.table.count == 1 && reading.report.rejected == [.outside: 1])
        options.tolerance = .all
        let bad = try Reading("lon,lat,w\n1,99,2\n500,1,1\n1,1,0\n", options: options)
        // 500 goes on counting: it is 140.
        #expect(bad.report.rejected == [.latitudeOutOfRange: 1, .outside: 1, .badWeight: 1])
    }

    @Test(arguments: [
        "", "1,2,3", "1,2,3,4,5", "a,0,1,1", "0,5,1,1", "181,0,1,1", "0,0,1,91", "0,0,nan,1",
        "0,0,0x1p3,1", "0,0,1,", "0 0,0,1,1",
    ])
    func `what is no box is told`(text: String) { #expect((try? LonLatBox(text)) == nil) }
}
