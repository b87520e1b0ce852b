import Geometry
import HTTP
import TestSupport
import Testing

@testable import TileService

/// What each path and each parameter is taken for.
struct RouteTests {
    private static func route(_ path: String) throws -> Route { try Route(RequestPath(path)) }

    private static let tile = TileID(z: 3, x: 2, y: 7)

    @Test(arguments: [
        ("/", Route.page), ("/catalog", .catalog), ("/health", .health), ("/metrics", .metrics),
        ("/covey.js", .asset("covey.js")), ("/covey.global.js", .asset("covey.global.js")),
        ("/-/page.js", .asset("page.js")),
        ("/-/fonts/Any%20Font/0-255.pbf", .glyphs(range: "0-255")),
        ("/a", .tileJSON(archive: "a")), ("/a%20b~c", .tileJSON(archive: "a b~c")),
        ("/style.json", .tileJSON(archive: "style.json")),
        ("/a/style.json", .style(archive: "a")), ("/a/leaves", .leaves(archive: "a")),
        ("/a/events", .events(archive: "a")),
        ("/a/clusters/containing", .containing(archive: "a")),
        ("/a/clusters/12", .cluster(archive: "a", id: 12, .itself)),
        ("/a/clusters/0", .cluster(archive: "a", id: 0, .itself)),
        ("/a/clusters/9223372036854775807", .cluster(archive: "a", id: .max, .itself)),
        ("/a/clusters/12/children", .cluster(archive: "a", id: 12, .children)),
        ("/a/clusters/12/leaves", .cluster(archive: "a", id: 12, .leaves)),
        ("/a/clusters/12/parent", .cluster(archive: "a", id: 12, .parent)),
        ("/a/clusters/12/hull", .cluster(archive: "a", id: 12, .hull)),
        ("/a/clusters/12/bbox", .cluster(archive: "a", id: 12, .bbox)),
        ("/a/clusters/12/expansion-zoom", .cluster(archive: "a", id: 12, .expansionZoom)),
        ("/a/3/2/7", .tile(archive: "a", tile, extension: nil)),
        ("/a/3/2/7.pbf", .tile(archive: "a", tile, extension: "pbf")),
        ("/a/3/2/7.pbf.gz", .tile(archive: "a", tile, extension: "pbf.gz")),
        ("/a/3/2/7.", .tile(archive: "a", tile, extension: "")),
        ("/a/03/02/7", .tile(archive: "a", tile, extension: nil)),
        ("/catalog/3/2/7", .tile(archive: "catalog", tile, extension: nil)),
    ])
    func `a path is one route`(path: String, wanted: Route) throws {
        #expect(try Self.route(path) == wanted)
    }

    @Test(arguments: [
        "/catalog/x", "/-/a/b", "/-/fonts/Any", "/-/fonts/Any/0-254.pbf", "/a/b", "/a/b/c",
        "/a/leaves/1", "/a/clusters/12/center", "/a/clusters/12/children/1", "/a/3/2/7/1",
        "/a/3/8/0", "/a/3/0/8", "/a/32/0/0", "/a/3/2/-7", "/a/+3/2/7", "/a/3/2/7x", "/a/3/2/.pbf",
        "/a/clusters/-1", "/a/clusters/x", "/a/clusters/9223372036854775808", "/a/clusters/",
        "", "a", "//", "/a/", "/a//b", "/.", "/a/..", "/%2e%2E", "/a%2Fb", "/a%00", "/a%1F",
        "/a%7F",
        "/%", "/%4", "/%4g", "/%g4", "/%FF", "/a%C3",
    ])
    func `all others are none`(path: String) {
        #expect(throws: ServiceError.self) { try Self.route(path) }
    }

    @Test func `a path may begin with that below which a server stands, as a whole segment`() throws
    {
        for (path, base, segments) in [
            ("/t/a", "/t", ["a"]), ("/t", "/t", []), ("/t/", "/t", []),
            ("/ta/b", "/t", ["ta", "b"]),
            ("/a", "/t", ["a"]), ("/t/t/a", "/t", ["t", "a"]), ("/a/t", "/t", ["a", "t"]),
            ("/a", "", ["a"]),
        ] {
            #expect(try RequestPath(path, below: base).segments == segments, "\(path)")
        }
    }

    @Test func `escapes are undone, in letters of either case, and nothing else is`() {
        var random = SeededRandom(seed: 780)
        let digits = ["0123456789abcdef", "0123456789ABCDEF"].map(Array.init)
        for _ in 0..<300 {
            let scalars = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 1...0x2FF, using: &random))
            }
            let text = String(String.UnicodeScalarView(scalars))
            var raw: [UInt8] = []
            for byte in text.utf8 {
                let letters = digits.randomElement(using: &random)!
                let isEscaped = byte == UInt8(ascii: "%") || random.next() % 2 == 0
                raw +=
                    isEscaped
                    ? Array("%\(letters[Int(byte >> 4)])\(letters[Int(byte & 15)])".utf8) : [byte]
            }
            #expect(percentDecoded(raw) == text)
        }
        for broken in ["%", "a%", "%4", "%4:", "%/4", "%G0", "%0g", "%@A", "%`a", "%80", "%C3%28"] {
            #expect(percentDecoded(broken.utf8) == nil, "\(broken)")
        }
        #expect(percentDecoded([0xFF]) == nil && percentDecoded("".utf8) == "")
    }

    @Test func `parameters are numbers within bounds, degrees and boxes`() throws {
        func query(_ value: String) -> Query { Query([.init(name: "v", value: value)]) }
        for (text, number) in [
            ("2", 2), ("9", 9), ("%35", 5), ("1", nil), ("10", nil), ("", nil), ("x", nil),
            ("2.0", nil), ("%3", nil),
        ] as [(String, Int64?)] {
            #expect((try? query(text).number("v", in: 2...9)) == number, "\(text)")
            #expect(try query(text).number("w", in: 2...9) == nil)
        }
        for (text, degrees) in [
            ("90", 90), ("-90", -90), ("1e1", 10), ("+.5", 0.5), ("90.1", nil), ("-90.1", nil),
            ("nan", nil), ("inf", nil), ("0x1", nil), ("", nil), ("1,5", nil),
        ] as [(String, Double?)] {
            #expect((try? query(text).degrees("v", within: 90)) == degrees, "\(text)")
        }
        #expect(try query("1,2,3,4").box("v") == LonLatBox(west: 1, south: 2, east: 3, north: 4))
        #expect(try query("").box("w") == nil)
        #expect(throws: ServiceError.self) { try query("1,2,3").box("v") }
        #expect(throws: ServiceError.self) { try query("").required("v", Int?.none) }
        #expect(try query("").required("v", 7) == 7)
        // The first of two counts.
        let twice = Query([.init(name: "v", value: "3"), .init(name: "v", value: "4")])
        #expect(try twice.number("v", in: 0...9) == 3)
        #expect(try query("a%2Fb").version("v") == "a/b" && query("a").version("w") == nil)
    }

    @Test func `the id of a path has its letters and digits, and can be read back`() {
        var random = SeededRandom(seed: 790)
        for _ in 0..<200 {
            let scalars = (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0x20...0x17F, using: &random))
            }
            let path = String(String.UnicodeScalarView(scalars))
            let id = ArchiveID.id(forPath: path)
            let back = id.replacing("~", with: "/").replacing("%", with: "%25")
                .replacing("=", with: "%")
            if !path.contains("~"), !path.contains("=") {
                #expect(percentDecoded(back.utf8) == path)
            }
            #expect(
                id.utf8.allSatisfy { $0 < 0x80 } && ArchiveID.isValid(ArchiveID.unreserved(id))
                    || id == "." || id == "..")
        }
        #expect(ArchiveID.id(forPath: "Az09-_./é~=") == "Az09-_.~=C3=A9=7E=3D")
        for name in ["catalog", "health", "metrics", "covey.js", "covey.global.js", "-"] {
            #expect(ArchiveID.unreserved(name) == name + "=" && !ArchiveID.isValid(name))
            #expect(ArchiveID.unreserved(name + "x") == name + "x" && ArchiveID.isValid(name + "x"))
        }
        for (id, isValid) in [
            ("", false), (".", false), ("..", false), ("...", true), ("a~b=", true), ("a b", false),
            ("é", false), (String(repeating: "a", count: 128), true),
            (String(repeating: "a", count: 129), false),
        ] { #expect(ArchiveID.isValid(id) == isValid, "\(id)") }
    }
}
