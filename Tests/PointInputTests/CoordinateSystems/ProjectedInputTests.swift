import Geometry
import PointInput
import Points
import Projections
import TestSupport
import Testing

private let hasPROJ = (try? Projection(from: "EPSG:25832")) != nil

@Suite(.enabled(if: runsTests(needing: hasPROJ), "PROJ (libproj25, proj-data) is not installed"))
struct ProjectedInputTests {
    private static func options(_ crs: String) -> InputOptions {
        var options = InputOptions()
        options.crs = CoordinateSystem(declared: crs)
        return options
    }

    private static func isInMunich(_ reading: Reading) -> Bool {
        abs(reading.longitude(0) - 11.567052874) < 1e-8
            && abs(reading.latitude(0) - 48.130570417) < 1e-8
    }

    @Test(arguments: [
        "x,y\n691000,5334000\n", "a,wkt\n1,POINT(691000 5334000)\n",
        #"{"type":"Point","coordinates":[691000,5334000]}"#,
    ])
    func `the option says what coordinates are`(text: String) throws {
        let reading = try Reading(text, options: Self.options("25832"))
        #expect(reading.table.count == 1)
        #expect(Self.isInMunich(reading))
        #expect(reading.report.notes.isEmpty)
    }

    @Test func `all threads give the same places`() throws {
        let rows = (0..<3_000).map { "\(400_000 + 37 * $0),\(5_300_000 + 11 * $0)\n" }.joined()
        var places: [[WorldPoint]] = []
        for threads in [1, 3] {
            var options = Self.options("EPSG:25832")
            options.threads = threads
            options.pieceSize = 1 << 10
            let reading = try Reading("x,y\n" + rows, options: options)
            places.append((0..<reading.table.count).map { reading.table.position(of: $0) })
        }
        #expect(places[0].count == 3_000)
        #expect(places[0] == places[1])
    }

    @Test func `what an input declares counts, and a mismatch is said`() throws {
        let text =
            #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"#
            + #""urn:ogc:def:crs:EPSG::25832"}},"features":[{"type":"Feature","properties":{},"#
            + #""geometry":{"type":"Point","coordinates":[691000,5334000]}}]}"#
        #expect(Self.isInMunich(try Reading(text)))
        let reading = try Reading(text, options: Self.options("31467"))
        #expect(Self.isInMunich(reading))
        #expect(reading.report.notes.count == 1)
        #expect(reading.report.notes[0].contains("EPSG:25832, so --crs EPSG:31467 is not used"))
    }

    @Test func `degrees of another datum are taken as they are, which is said`() throws {
        let reading = try Reading("lon,lat\n11,48\n", options: Self.options("4258"))
        #expect(reading.longitude(0) == 11)
        #expect(reading.report.notes.count == 1)
        #expect(reading.report.notes[0].contains("EPSG:4258, taken as WGS 84"))
    }

    @Test func `points far from where a system is used are told of`() throws {
        let swapped = try Reading("x,y\n5334000,691000\n", options: Self.options("25832"))
        #expect(swapped.report.notes.contains { $0.contains("far from where EPSG:25832") })
        let beside = try Reading("x,y\n-100000,5334000\n", options: Self.options("25832"))
        #expect(beside.report.notes.isEmpty)
    }

    @Test func `a place that a system does not have is a fault of its record`() throws {
        var options = Self.options("25832")
        options.tolerance = .all
        let reading = try Reading("x,y\n691000,5334000\n1e300,5334000\n", options: options)
        #expect(reading.table.count == 1)
        #expect(reading.report.rejected == [.badCoordinates: 1])
        #expect(
            reading.report.samples.map(\.problem)
                == ["has the coordinates 1e+300, 5334000.0, not valid in EPSG:25832"])
    }

    @Test func `an easting with its zone in front names the system of such`() {
        let answer = complaint(about: "x,y\n33392345,5820123\n", name: "t.csv") {
            $0.crs = CoordinateSystem(declared: "EPSG:25833")
        }
        #expect(
            answer?.contains(
                "EPSG:25833; eastings that begin with the zone 33 are those of --crs EPSG:5650")
                == true)
    }

    @Test func `an unknown system ends the run before anything is read`() {
        let error = #expect(throws: InputError.self) {
            try PointTable.read([.file("/no/such/file")], options: Self.options("99999"))
        }
        #expect(
            error?.description
                == "--crs: the coordinate system EPSG:99999 cannot be used: PROJ does not know EPSG:99999"
        )
    }

    @Test func `a missing grid is named`() throws {
        // The Dutch grid is in a package of its own.
        let projection = try Projection(from: "EPSG:28992")
        guard let grid = projection.missingGrid else { return }
        let reading = try Reading("x,y\n120000,487000\n", options: Self.options("28992"))
        #expect(reading.report.notes.contains { $0.contains("PROJ lacks the grid \(grid)") })
    }
}
