import Foundation
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

    @Test(arguments: [
        ("EPSG:25832", "ETRS89 / UTM zone 32N", 6.0, 38.76, 12.01, 84.33),
        ("EPSG:3031", "WGS 84 / Antarctic Polar Stereographic", -180, -90, 180, -60),
        // Over the antimeridian.
        ("EPSG:3832", "WGS 84 / PDC Mercator", 98.69, -60, -68, 66.67),
    ])
    func `a system has a name and an area`(
        system: String, name: String, west: Double, south: Double, east: Double, north: Double
    ) throws {
        let projection = try Projection(from: system)
        #expect(projection.name == name)
        let area = try #require(projection.area)
        let sides = [
            (area.west, west), (area.south, south), (area.east, east), (area.north, north),
        ]
        #expect(sides.allSatisfy { abs($0 - $1) < 0.2 } && area.name.count > 5, "\(area)")
        #expect(try Projection(from: "+proj=utm +zone=33 +type=crs").area == nil)
    }

    @Test(arguments: ["EPSG:4326", "EPSG:4979"])
    func `degrees stay what they are, east first`(system: String) throws {
        let place = try #require(try Projection(from: system).lonLat(7.5, 47.25))
        #expect(place == (7.5, 47.25))
    }

    @Test func `a system may bring its own way to WGS 84 along`() throws {
        let system =
            "+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +y_0=0 +ellps=bessel "
            + "+towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +type=crs"
        let place = try #require(try Projection(from: system).lonLat(3_500_000, 5_400_000))
        #expect(abs(place.longitude - 8.998970820) < 1e-8)
        #expect(abs(place.latitude - 48.737539256) < 1e-8)
    }

    @Test func `a grid is missing where the most exact way needs one that is not there`() throws {
        for system in ["EPSG:25832", "EPSG:3857", "EPSG:4326", "EPSG:2154"] {
            #expect(try Projection(from: system).missingGrid == nil)
        }
        // Of Great Britain's and Canada's there is no package but one of all grids. The latter holds for a part
        // of where the system is used.
        for (system, name) in [
            ("EPSG:27700", "uk_os_OSTN15_NTv2_OSGBtoETRS.tif"), ("EPSG:4267", "ca_nrc_ntv2_0.tif"),
        ] {
            let grid = try Projection(from: system).missingGrid
            let isThere = FileManager.default.fileExists(atPath: "/usr/share/proj/\(name)")
            #expect(grid == (isThere ? nil : name))
        }
    }

    /// Such a system has one way to degrees, and no other to fall back to.
    @Test(arguments: ["longlat", "tmerc +lon_0=9"])
    func `a grid that a definition names itself is missed, too`(projection: String) throws {
        let system = "+proj=\(projection) +ellps=bessel +nadgrids=nowhere.gsb +type=crs"
        #expect(try Projection(from: system).missingGrid == "nowhere.gsb")
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
        #expect(throws: ProjectionError.noWay(name: "Mars (2015) - Sphere / Ocentric")) {
            try Projection(from: "IAU_2015:49900")
        }
    }

    /// PROJ itself finds "Amersfoort" for "foo", and Barbados for "bar".
    @Test func `a name is not taken for another that has it in itself`() throws {
        for name in ["foo", "bar", "gcs", "swiss", "lonlat"] {
            #expect(throws: ProjectionError.unknown(name)) { try Projection(from: name) }
        }
        for name in ["WGS 84", "wgs84", "ETRS89 / UTM zone 32N", "etrs89 / utm zone 32n"] {
            _ = try Projection(from: name)
        }
    }

    @Test func `of a compound system the part on the ground counts`() throws {
        let projection = try Projection(from: "EPSG:25832+5783")
        #expect(projection.name == "ETRS89 / UTM zone 32N")
        let place = try #require(projection.lonLat(691_000, 5_334_000))
        #expect(abs(place.latitude - 48.130570417) < 1e-8)
    }

    @Test func `of a long definition the first sixty letters are told`() {
        for (count, told) in [(60, 60), (61, 60)] {
            let text = String(repeating: "x", count: count)
            #expect(throws: ProjectionError.unknown(text.prefix(told) + (count > told ? "…" : "")))
            {
                try Projection(from: text)
            }
        }
    }

    @Test(arguments: [
        (
            ProjectionError.notInstalled(reason: "r"),
            "PROJ, which knows it, cannot be loaded: r", "install PROJ"
        ),
        (.noDatabase, "PROJ finds no proj.db, its database of coordinate systems", "install it"),
        (.unknown("n"), "PROJ does not know n", "write it as EPSG:25832"),
        (
            .notOnEarth(name: "n"), "n does not place a pair of coordinates on the Earth",
            "name the system"
        ),
        (.noWay(name: "n"), "PROJ knows no way from n to degrees on WGS 84", "name the system"),
    ])
    func `every error says what is wrong and what to do`(
        error: ProjectionError, text: String, advice: String
    ) {
        #expect(error.description == text && error.advice.hasPrefix(advice))
    }
}
