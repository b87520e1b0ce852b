import Projections
import TestSupport
import Testing

/// Whether PROJ and its database are there.
private let hasPROJ = (try? Projection(from: "EPSG:25832")) != nil

@Suite(.enabled(if: runsTests(needing: hasPROJ), "PROJ (libproj25, proj-data) is not installed"))
struct ProjectionTests {
    /// Positions that `gdaltransform -t_srs EPSG:4326` gives.
    @Test(arguments: [
        ("EPSG:25832", 691_000.0, 5_334_000.0, 11.567052874, 48.130570417),
        ("urn:ogc:def:crs:EPSG::25832", 691_000, 5_334_000, 11.567052874, 48.130570417),
        ("EPSG:2154", 650_000, 6_860_000, 2.318790597, 48.838110123),
        // The authority puts north first, files put east first.
        ("EPSG:31467", 3_500_000, 5_400_000, 8.998975485, 48.737534874),
        ("EPSG:3857", 1_000_000, 6_000_000, 8.983152841, 47.353704702),
        ("+proj=utm +zone=33 +type=crs", 500_000, 5_000_000, 15, 45.153477183),
    ])
    func `a place is where GDAL puts it`(
        system: String, x: Double, y: Double, longitude: Double, latitude: Double
    ) throws {
        let place = try #require(try Projection(from: system).lonLat(x, y))
        // A hundred-millionth of a degree is a millimetre.
        #expect(abs(place.longitude - longitude) < 1e-8)
        #expect(abs(place.latitude - latitude) < 1e-8)
    }

    @Test func `what no system has is told, and the next place is right`() throws {
        let projection = try Projection(from: "EPSG:25832")
        #expect(projection.lonLat(.infinity, 0) == nil)
        #expect(projection.lonLat(.nan, 0) == nil)
        #expect(projection.lonLat(1e300, 5_334_000) == nil)
        #expect(abs((projection.lonLat(691_000, 5_334_000)?.latitude ?? 0) - 48.130570417) < 1e-8)
    }

    @Test func `a system has a name and an area`() throws {
        let projection = try Projection(from: "EPSG:25832")
        #expect(projection.name == "ETRS89 / UTM zone 32N")
        let area = try #require(projection.area)
        #expect(area.west == 6 && area.north > 80)
        #expect(area.name.contains("Europe"), "\(area)")
        #expect(try Projection(from: "+proj=utm +zone=33 +type=crs").area == nil)
    }

    @Test func `what places nothing on the Earth is refused`() {
        #expect(throws: ProjectionError.unknown("EPSG:99999")) {
            try Projection(from: "EPSG:99999")
        }
        #expect(throws: ProjectionError.notOnEarth(name: "DHHN92 height")) {
            try Projection(from: "EPSG:5783")
        }
        #expect(throws: ProjectionError.notOnEarth(name: "WGS 84")) {
            try Projection(from: "EPSG:4978")
        }
    }

    @Test func `of a compound system the part on the ground counts`() throws {
        let projection = try Projection(from: "EPSG:25832+5783")
        #expect(projection.name == "ETRS89 / UTM zone 32N")
        let place = try #require(projection.lonLat(691_000, 5_334_000))
        #expect(abs(place.latitude - 48.130570417) < 1e-8)
    }

    @Test func `every error says what to do`() {
        let errors: [ProjectionError] = [
            .notInstalled(reason: "r"), .noDatabase, .unknown("n"), .notOnEarth(name: "n"),
            .noWay(name: "n"),
        ]
        for error in errors {
            #expect(
                !error.advice.isEmpty && error.description.contains("PROJ")
                    || error == .notOnEarth(name: "n"))
        }
    }
}
